import type { Discord, WebhookRequest } from '../discord/discord';
import { clock, drawMessage } from './draw-message';
import { drawWebhookFaults } from './draw-switches';
import { html, type Html } from '../html';

const SHOWN_MESSAGES = 20;
const SHOWN_REQUESTS = 10;

/**
 * One column per webhook: its messages, newest first, its faults and its requests.
 * @param now epoch milliseconds
 */
export function drawChannels(discord: Discord, now: number): Html {
  const columns = discord.webhooks().map((webhook) => {
    const messages = discord.messages(webhook.id);
    const requests = discord.requests(webhook.id);
    const shown = messages.slice(-SHOWN_MESSAGES).reverse();
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
      ${drawWebhookFaults(webhook.id, webhook.faults)} ${drawRequests(webhook.id, requests)}
      <details id="url-${webhook.id}">
        <summary>Webhook URL</summary>
        <p class="url"><code>${webhook.url}</code></p>
      </details>
    </section>`;
  });
  return html`<section id="discord" data-live aria-labelledby="discord-title">
    <div class="row-title">
      <h2 id="discord-title">Discord</h2>
      <form method="post" action="/control/webhooks"><button id="add-webhook">Add a webhook</button></form>
      <form method="post" action="/control/messages">
        <input type="hidden" name="_method" value="DELETE" /><button id="clear-messages">
          Clear messages
        </button>
      </form>
    </div>
    <div class="channels">${columns}</div>
  </section>`;
}

function drawRequests(id: string, requests: readonly WebhookRequest[]): Html {
  if (requests.length === 0) return html``;
  const rows = requests
    .slice(-SHOWN_REQUESTS)
    .reverse()
    .map(
      (request) =>
        html`<tr>
          <td>${clock(request.receivedAt)}</td>
          <td>${request.method}</td>
          <td class="number">${request.status ?? request.outcome}</td>
        </tr>`,
    );
  return html`<details id="requests-${id}">
    <summary>${requests.length} ${requests.length === 1 ? 'request' : 'requests'}</summary>
    <table>
      <thead>
        <tr>
          <th>At</th>
          <th>Method</th>
          <th>Answer</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </details>`;
}
