import { html, type Html } from '../html';
import type { Push, PushedMessage } from '../push/push';
import { clock } from './draw-message';
import { drawPushFaults } from './draw-switches';

const SHOWN_PUSHES = 12;

/** The push service: its subscriptions and the messages that it accepted, decrypted. */
export function drawPush(push: Push): Html {
  const messages = push.messages();
  const subscriptions = push.subscriptions().length;
  const newest = messages.slice(-SHOWN_PUSHES).reverse();
  return html`<section class="card" id="push" data-live aria-labelledby="push-title">
    <h2 id="push-title">Web push <span class="count">${messages.length}</span></h2>
    <p class="soft">${subscriptions} ${subscriptions === 1 ? 'browser is' : 'browsers are'} subscribed.</p>
    ${
      newest.length === 0
        ? html`<p class="empty">No push has arrived.</p>`
        : html`<ol class="mails">
            ${newest.map(drawPushed)}
          </ol>`
    }
    ${drawPushFaults(push.faults())}
    ${
      messages.length > 0 &&
      html`<form method="post" action="/control/push/messages" class="buttons">
        <input type="hidden" name="_method" value="DELETE" /><button id="clear-pushes">Clear pushes</button>
      </form>`
    }
  </section>`;
}

function drawPushed({ id, subscriptionId, receivedAt, ttlSeconds, topic, payload }: PushedMessage): Html {
  return html`<li class="letter">
    <details id="push-${id}">
      <summary><strong>${titleOf(payload)}</strong> ${clock(receivedAt)}</summary>
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
