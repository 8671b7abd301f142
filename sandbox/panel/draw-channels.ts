import type { Discord, WebhookRequest } from '../discord/discord';
import type { Webhook, WebhookFault } from '../discord/webhook';
import { drawMessage } from './draw-message';
import { count, drawButton, drawFaults, drawTable, drawTime, newest, type Preset } from './draw-parts';
import { html, type Html } from '../html';

const SHOWN_MESSAGES = 20;
const SHOWN_REQUESTS = 10;

const WEBHOOK_PRESETS: Preset<WebhookFault>[] = [
  { label: '429 for 2.5 s', faults: [{ kind: 'status', status: 429, retryAfter: 2.5 }] },
  { label: '500 three times', faults: [{ kind: 'status', status: 500, count: 3 }] },
  { label: '400 once', faults: [{ kind: 'status', status: 400 }] },
  {
    label: '404 for good',
    faults: [{ kind: 'status', status: 404, persistent: true, on: ['GET', 'POST', 'PATCH', 'DELETE'] }],
  },
  { label: 'Blocked (429 without a time)', faults: [{ kind: 'ban', persistent: true }] },
  { label: 'Away (503)', faults: [{ kind: 'status', status: 503, persistent: true }] },
  { label: '12 s late', faults: [{ kind: 'delay', ms: 12_000 }] },
  { label: '5 s late', faults: [{ kind: 'delay', ms: 5_000 }] },
  { label: 'Never respond', faults: [{ kind: 'hang' }] },
  { label: 'Accept, then cut', faults: [{ kind: 'reset', accept: true }] },
];

/**
 * One column per webhook: its messages, newest first, its faults and its requests.
 * @param now epoch milliseconds
 */
export function drawChannels(discord: Discord, now: number): Html {
  const columns = discord.webhooks().map((webhook) => {
    const messages = discord.messages(webhook.id);
    const requests = discord.requests(webhook.id);
    const shown = newest(messages, SHOWN_MESSAGES);
    return html`<section
      class="card channel"
      id="channel-${webhook.id}"
      aria-labelledby="title-${webhook.id}"
    >
      <h3 id="title-${webhook.id}">#${webhook.audience} <span class="count">${messages.length}</span></h3>
      ${
        shown.length === 0
          ? html`<p class="empty">Nothing has been posted here.</p>`
          : html`<ol class="messages" tabindex="0" aria-label="Messages in #${webhook.audience}">
              ${shown.map((message) => drawMessage(message, now))}
            </ol>`
      }
      ${drawFaults(`webhook-${webhook.id}`, `webhooks/${webhook.id}/faults`, WEBHOOK_PRESETS, webhook.faults)}
      ${drawRequests(webhook, requests)}
      <details id="url-${webhook.id}">
        <summary>Webhook URL</summary>
        <p class="url"><code>${webhook.url}</code></p>
      </details>
    </section>`;
  });
  return html`<section id="discord" data-live aria-labelledby="discord-title">
    <div class="row-title">
      <h2 id="discord-title">Discord</h2>
      ${drawButton('webhooks', 'add-webhook', 'Add a webhook')}
      ${drawButton('messages', 'clear-messages', 'Clear messages', {}, 'DELETE')}
    </div>
    <div class="channels">${columns}</div>
  </section>`;
}

function drawRequests({ id, audience }: Webhook, requests: readonly WebhookRequest[]): Html {
  if (requests.length === 0) return html``;
  const rows = newest(requests, SHOWN_REQUESTS).map(
    ({ receivedAt, method, status, outcome }) =>
      html`<tr>
        <td>${drawTime(receivedAt)}</td>
        <td>${method}</td>
        <td class="number">${status ?? outcome}</td>
      </tr>`,
  );
  return html`<details id="requests-${id}">
    <summary>${count(requests.length, 'request')}</summary>
    ${drawTable(`Requests to #${audience}`, ['At', 'Method', 'Response'], rows)}
  </details>`;
}
