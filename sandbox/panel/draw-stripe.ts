import type Stripe from 'stripe';
import { html, type Html } from '../html';
import type { DeliveryFault } from '../stripe/events/delivery-fault';
import { formatMoney } from '../stripe/format';
import type { ApiFault } from '../stripe/rest/api-fault';
import type { StripeSandbox } from '../stripe/stripe';
import { drawStripeEvents } from './draw-stripe-events';
import { count, drawButton, drawFaults, drawTable, type Preset } from './draw-parts';

const SHOWN_CUSTOMERS = 30;
const SHOWN_SUBSCRIPTIONS = 12;
const SHOWN_PAYMENTS = 12;
const DAY = 86_400;

/** @param seconds since the epoch, of the test clock */
const when = (seconds: number) => DATE_TIME.format(seconds * 1_000);
const DATE_TIME = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'Europe/London',
});

const API_PRESETS: Preset<ApiFault>[] = [
  { label: '500 once', faults: [{ kind: 'status', status: 500 }] },
  { label: '429 once', faults: [{ kind: 'status', status: 429 }] },
  { label: '3 s late', faults: [{ kind: 'delay', ms: 3_000 }] },
  { label: 'Never respond', faults: [{ kind: 'hang' }] },
  { label: 'Cut the connection', faults: [{ kind: 'drop' }] },
  { label: 'Down until removed', faults: [{ kind: 'status', status: 503, persistent: true }] },
];

const DELIVERY_PRESETS: Preset<DeliveryFault>[] = [
  { label: 'Lose the next event', faults: [{ kind: 'drop' }] },
  { label: 'Lose all', faults: [{ kind: 'drop', persistent: true }] },
  { label: '30 s late', faults: [{ kind: 'delay', ms: 30_000 }] },
  { label: 'Send each twice', faults: [{ kind: 'duplicate', persistent: true }] },
  { label: 'Forge a signature', faults: [{ kind: 'forge' }] },
];

/** Stripe's customers, payments and events, and what its dashboard and its test clock can do. */
export function drawStripe(stripe: StripeSandbox): Html {
  return html`<section class="card stripe" id="stripe" data-live aria-labelledby="stripe-title">
    <h2 id="stripe-title">
      Stripe <span class="count">${count(stripe.store.list('customer').length, 'customer')}</span>
    </h2>
    ${
      stripe.store.list('price').length === 0 &&
      html`<p class="note">
        Stripe has no prices: <code>npm run packages -- sync</code> makes those of the plans.
      </p>`
    }
    ${drawClock(stripe)} ${drawCustomers(stripe)} ${drawSubscriptions(stripe)} ${drawPayments(stripe)}
    ${drawStripeEvents(stripe)}
    ${drawFaults('stripe', 'stripe/faults', API_PRESETS, stripe.faults(), 'Faults of the API')}
    ${drawFaults('stripe-events', 'stripe/webhooks/faults', DELIVERY_PRESETS, stripe.webhooks.faults(), 'Faults of events')}
  </section>`;
}

function drawClock({ now, store }: StripeSandbox): Html {
  const ahead = Math.round(now() - Date.now() / 1_000);
  const renewals = store
    .list('subscription', isRenewing)
    .flatMap(({ items }) => items.data.map((item) => item.current_period_end));
  const next = renewals.length === 0 ? null : Math.min(...renewals);
  return html`<div class="row-title">
    <p class="clock">
      Its clock: <strong>${when(now())}</strong>
      <span class="soft">${ahead < 60 ? 'as here' : `${Math.round(ahead / DAY)} days ahead`}</span>
    </p>
    ${drawButton('stripe/clock', 'stripe-day', 'Advance a day', { seconds: DAY })}
    ${drawButton('stripe/clock', 'stripe-month', 'Advance 30 days', { seconds: 30 * DAY })}
    ${
      next !== null &&
      drawButton('stripe/clock', 'stripe-renewal', `To the next renewal, ${when(next)}`, {
        // Stripe finalises and charges a renewal's invoice an hour after it is created.
        seconds: Math.max(0, next - now()) + 3_660,
      })
    }
  </div>`;
}

function drawCustomers({ store }: StripeSandbox): Html | null {
  const customers = store.list('customer').slice(0, SHOWN_CUSTOMERS);
  if (customers.length === 0) return null;
  return html`<details id="stripe-customers">
    <summary>Customers</summary>
    ${drawTable(
      'Customers',
      ['Customer', 'Id', 'Since', 'Cards'],
      customers.map(
        ({ id, email, created }) =>
          html`<tr>
            <td>${email ?? ''}</td>
            <td><code>${id}</code></td>
            <td>${when(created)}</td>
            <td>
              ${store
                .list('payment_method', ({ customer }) => customer === id)
                .map(({ card }) => `•••• ${card?.last4 ?? ''}`)
                .join(', ')}
            </td>
          </tr>`,
      ),
    )}
  </details>`;
}

const isRenewing = ({ status, cancel_at: end }: Stripe.Subscription) =>
  (status === 'active' || status === 'past_due' || status === 'trialing') && end === null;

function drawSubscriptions({ store }: StripeSandbox): Html {
  const subscriptions = store.list('subscription').slice(0, SHOWN_SUBSCRIPTIONS);
  if (subscriptions.length === 0) return html`<p class="empty">There is no subscription.</p>`;
  return drawTable(
    'Subscriptions',
    ['Customer', 'Plan', 'State', 'Period ends', 'Last invoice'],
    subscriptions.map((subscription) => {
      const customer = store.find('customer', String(subscription.customer));
      const invoice = store.find('invoice', String(subscription.latest_invoice));
      const item = subscription.items.data[0];
      const price = item?.price;
      return html`<tr>
        <td>${customer?.email ?? String(subscription.customer)}</td>
        <td>${price === undefined ? '' : formatMoney(price.unit_amount ?? 0, price.currency)}</td>
        <td>
          <span class="state ${subscription.status === 'active' ? 'open' : 'room'}"
            >${subscription.status}</span
          >
          ${subscription.cancel_at !== null && `ends ${when(subscription.cancel_at)}`}
        </td>
        <td>${item !== undefined && when(item.current_period_end)}</td>
        <td>
          ${
            invoice !== undefined &&
            html`<a href="${invoice.hosted_invoice_url ?? '#'}"
              >${formatMoney(invoice.amount_due, invoice.currency)} ${invoice.status}</a
            >`
          }
        </td>
      </tr>`;
    }),
  );
}

function drawPayments({ store }: StripeSandbox): Html {
  const intents = store.list('payment_intent').slice(0, SHOWN_PAYMENTS);
  if (intents.length === 0) return html`<p class="empty">There is no payment.</p>`;
  return drawTable(
    'Payments',
    ['At', 'Customer', 'Amount', 'State', ''],
    intents.map((intent) => drawPayment(store, intent)),
  );
}

function drawPayment(store: StripeSandbox['store'], intent: Stripe.PaymentIntent): Html {
  const customer = store.find('customer', String(intent.customer));
  const charge = store.find('charge', String(intent.latest_charge));
  const dispute = store.list('dispute', (candidate) => candidate.charge === charge?.id)[0];
  const refunded = charge?.amount_refunded ?? 0;
  const left = (charge?.amount ?? 0) - refunded;
  return html`<tr>
    <td>${when(intent.created)}</td>
    <td>${customer?.email ?? ''}</td>
    <td>${formatMoney(intent.amount, intent.currency)}</td>
    <td>
      ${intent.status}${refunded > 0 && `, ${formatMoney(refunded, intent.currency)} refunded`}${
        dispute !== undefined && `, dispute ${dispute.status}`
      }
    </td>
    <td>
      ${charge?.paid === true && html`<div class="buttons">${drawPaymentActions(intent, left, dispute)}</div>`}
    </td>
  </tr>`;
}

function drawPaymentActions(
  intent: Stripe.PaymentIntent,
  left: number,
  dispute: Stripe.Dispute | undefined,
): Html[] {
  const { id } = intent;
  const isOpen = dispute !== undefined && dispute.status !== 'won' && dispute.status !== 'lost';
  return [
    ...(left > 0 && dispute === undefined
      ? [
          drawButton('stripe/refunds', `refund-${id}`, 'Refund all', { id }),
          drawButton('stripe/refunds', `refund-part-${id}`, 'Refund half', {
            id,
            amount: Math.max(1, Math.floor(left / 2)),
          }),
          drawButton('stripe/disputes', `dispute-${id}`, 'Dispute', { id }),
        ]
      : []),
    ...(isOpen
      ? [
          drawButton(`stripe/disputes/${dispute.id}`, `win-${id}`, 'Win dispute', { status: 'won' }, 'PUT'),
          drawButton(
            `stripe/disputes/${dispute.id}`,
            `lose-${id}`,
            'Lose dispute',
            { status: 'lost' },
            'PUT',
          ),
        ]
      : []),
  ];
}
