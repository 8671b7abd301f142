import { html, type Html } from '../html';
import type { StripeSandbox } from '../stripe/stripe';
import { count, drawButton, drawTable, newest } from './draw-parts';

const SHOWN_EVENTS = 15;

/** The newest events with what the endpoint answered. */
export function drawStripeEvents({ events, webhooks }: StripeSandbox): Html {
  const all = events();
  const shown = newest(all, SHOWN_EVENTS);
  const deliveries = webhooks.list();
  const held = new Set(webhooks.held().map(({ id }) => id));
  const outcomeOf = (id: string): string => {
    if (held.has(id)) return 'held back';
    const attempts = deliveries.filter(({ eventId }) => eventId === id);
    const last = attempts.at(-1);
    if (last === undefined) return webhooks.endpoint() === null ? 'no endpoint' : 'not sent';
    const response = last.status === null ? (last.failure ?? 'no response') : `answered ${last.status}`;
    return attempts.length === 1
      ? response
      : `${response}, attempt ${last.attempt} of ${attempts.length} sent`;
  };
  return html`<details id="stripe-events">
    <summary>${count(all.length, 'event')} to ${webhooks.endpoint() ?? 'no endpoint'}</summary>
    <div class="buttons">
      ${
        webhooks.mode() === 'send'
          ? drawButton('stripe/webhooks', 'stripe-hold', 'Hold events back', { mode: 'hold' }, 'PUT')
          : drawButton(
              'stripe/webhooks',
              'stripe-send',
              `Send the ${held.size} held events`,
              { mode: 'send' },
              'PUT',
            )
      }
    </div>
    ${drawTable(
      'Events',
      ['Type', 'Endpoint', ''],
      shown.map(
        ({ id, type }) =>
          html`<tr>
            <td>${type}</td>
            <td>${outcomeOf(id)}</td>
            <td>
              ${
                webhooks.endpoint() !== null &&
                drawButton('stripe/webhooks/send', `send-${id}`, 'Send again', { ids: JSON.stringify([id]) })
              }
            </td>
          </tr>`,
      ),
    )}
  </details>`;
}
