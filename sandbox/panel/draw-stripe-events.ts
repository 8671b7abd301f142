import { html, type Html } from '../html';
import type { StripeSandbox } from '../stripe/stripe';
import { drawForm } from './draw-stripe-form';

const SHOWN_EVENTS = 15;

/** The newest events with what the endpoint answered. */
export function drawStripeEvents({ events, webhooks }: StripeSandbox): Html {
  const all = events();
  const shown = all.slice(-SHOWN_EVENTS).reverse();
  const deliveries = webhooks.list();
  const held = new Set(webhooks.held().map(({ id }) => id));
  const outcomeOf = (id: string): string => {
    if (held.has(id)) return 'held back';
    const attempts = deliveries.filter(({ eventId }) => eventId === id);
    const last = attempts.at(-1);
    if (last === undefined) return webhooks.endpoint() === null ? 'no endpoint' : 'not sent';
    const answer = last.status === null ? (last.failure ?? 'no answer') : `answered ${last.status}`;
    return attempts.length === 1 ? answer : `${answer}, attempt ${last.attempt} of ${attempts.length} sent`;
  };
  return html`<details id="stripe-events">
    <summary>
      ${all.length} ${all.length === 1 ? 'event' : 'events'} to ${webhooks.endpoint() ?? 'no endpoint'}
    </summary>
    <div class="buttons">
      ${
        webhooks.mode() === 'send'
          ? drawForm('webhooks', 'stripe-hold', 'Hold events back', { mode: 'hold' }, 'PUT')
          : drawForm('webhooks', 'stripe-send', `Send the ${held.size} held events`, { mode: 'send' }, 'PUT')
      }
    </div>
    <div class="scroll" tabindex="0" role="region" aria-label="Events">
      <table>
        <thead>
          <tr>
            <th>Type</th>
            <th>Endpoint</th>
            <th></th>
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            ({ id, type }) =>
              html`<tr>
                <td>${type}</td>
                <td>${outcomeOf(id)}</td>
                <td>
                  ${
                    webhooks.endpoint() !== null &&
                    drawForm('webhooks/send', `send-${id}`, 'Send again', { ids: JSON.stringify([id]) })
                  }
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}
