import { html, type Html } from '../html';
import type { Push, PushedMessage, PushFault } from '../push/push';
import { drawButton, drawFaults, drawTime, newest, type Preset } from './draw-parts';

const SHOWN_PUSHES = 12;

const PUSH_PRESETS: Preset<PushFault>[] = [
  { label: 'Gone (410)', faults: [{ kind: 'gone', status: 410 }] },
  { label: '429 for 2 s', faults: [{ kind: 'status', status: 429, retryAfter: 2 }] },
  { label: '500 once', faults: [{ kind: 'status', status: 500 }] },
  { label: '5 s late', faults: [{ kind: 'delay', ms: 5_000 }] },
  { label: 'Never respond', faults: [{ kind: 'hang' }] },
];

/** The push service: its subscriptions and the messages that it accepted, decrypted. */
export function drawPush(push: Push): Html {
  const messages = push.messages();
  const subscriptions = push.subscriptions().length;
  const shown = newest(messages, SHOWN_PUSHES);
  return html`<section class="card" id="push" data-live aria-labelledby="push-title">
    <h2 id="push-title">Web push <span class="count">${messages.length}</span></h2>
    <p class="soft">${subscriptions} ${subscriptions === 1 ? 'browser is' : 'browsers are'} subscribed.</p>
    ${
      shown.length === 0
        ? html`<p class="empty">No push has arrived.</p>`
        : html`<ol class="mails">
            ${shown.map(drawPushed)}
          </ol>`
    }
    ${drawFaults('push', 'push/faults', PUSH_PRESETS, push.faults())}
    ${messages.length > 0 && drawButton('push/messages', 'clear-pushes', 'Clear pushes', {}, 'DELETE')}
  </section>`;
}

function drawPushed({ id, subscriptionId, receivedAt, ttlSeconds, topic, payload }: PushedMessage): Html {
  return html`<li>
    <details id="push-${id}">
      <summary><strong>${titleOf(payload)}</strong> ${drawTime(receivedAt)}</summary>
      <p class="soft">To ${subscriptionId}, kept for ${ttlSeconds} s, topic ${topic ?? 'none'}</p>
      <pre tabindex="0" aria-label="Payload">${payload ?? '(not encrypted for this browser)'}</pre>
    </details>
  </li>`;
}

function titleOf(payload: string | null): string {
  try {
    const value: unknown = JSON.parse(payload ?? '');
    if (typeof value === 'object' && value !== null && 'title' in value && typeof value.title === 'string')
      return value.title;
  } catch {
    // Shown as it came, below.
  }
  return '(no title)';
}
