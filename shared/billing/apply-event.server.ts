import type { Updateable } from 'kysely';
import { addNotice, type AdminContacts } from '../alerts/admin-notices';
import type { Delivery } from '../alerts/deliveries/deliveries';
import { exponentialBackoffMs } from '../backoff';
import { fromIso, MINUTE, SECOND, toIso } from '../clock';
import { isBusy, isStorageFault } from '../database/database-errors';
import type { PaymentEventsTable } from '../database/tables/payments/payment-events';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { createOutboxSender, type OutboxSender, type SenderContext } from '../outbox/attempt';
import type { PaymentsContext } from '../payments/payments-context';
import { JOB_LIFETIME_MS, withDeadline } from '../payments/step-deadline.server';
import { reportRefusal } from '../payments/stripe-account.server';
import { describePaymentError } from '../payments/stripe-errors';
import { syncAnyCheckout, type SyncResult } from '../payments/sync-with-stripe.server';
import { syncSubscription, syncSubscriptionCheckout } from '../subscriptions/sync/sync-subscription.server';
import { syncPurchase, syncPurchaseCheckout } from '../tokens/sync-purchase.server';
import { announceReversals } from './announce-reversals';
import { paymentEventOutbox, type PaymentEvent } from './payment-events';
import { syncCustomer } from './sync-customer.server';
import { syncPayment } from './sync-payment.server';

const FIRST_WAIT_MS = SECOND;
const MAX_WAIT_MS = 10 * MINUTE;
/** Any other error than one of Stripe or the disk is a bug: it is retried for about four minutes. */
const MAX_ATTEMPTS_OF_BUGS = 8;

/** How one attempt to apply an event ended. `ignored`: it concerns no account of ours, or Stripe never knew its object. */
export type EventOutcome =
  | { is: 'ok' }
  | { is: 'ignored' }
  | { is: 'retry'; reason: string }
  | { is: 'failed'; reason: string };

export interface EventSenderContext extends SenderContext<PaymentEvent, EventOutcome> {
  payments: PaymentsContext;
  adminContacts: AdminContacts;
  /** Sends the notices about events that failed for good; without it the daemon's sweep does. */
  onNotices?: (deliveries: readonly Delivery[]) => void;
}

/** Reads the object of an event afresh from Stripe, and writes its state. */
async function applyEvent(payments: PaymentsContext, row: PaymentEvent): Promise<SyncResult> {
  switch (row.object_type) {
    case 'subscription':
      return syncSubscription(payments, row.object_id);
    case 'payment_intent':
      // Only a refund or dispute says something new about a subscription's payment.
      return row.type.startsWith('payment_intent.')
        ? syncPurchase(payments, row.object_id)
        : syncPayment(payments, row.object_id);
    case 'checkout.session':
      return syncAnyCheckout(payments, row.object_id, [syncPurchaseCheckout, syncSubscriptionCheckout]);
    case 'customer':
      return syncCustomer(payments, row.object_id);
    default:
      return 'ignored';
  }
}

async function attempt({ payments, clock }: EventSenderContext, row: PaymentEvent): Promise<EventOutcome> {
  try {
    const result = await withDeadline(JOB_LIFETIME_MS, () => applyEvent(payments, row));
    if (result === 'missing')
      return clock.now() >= fromIso(row.expires_at)
        ? { is: 'ignored' }
        : { is: 'retry', reason: `Stripe does not know ${row.object_id}.` };
    return result === 'ignored' ? { is: 'ignored' } : { is: 'ok' };
  } catch (error) {
    await reportRefusal(payments, error);
    const reason = describePaymentError(error);
    const isTransient = error instanceof DomainError || isBusy(error) || isStorageFault(error);
    const givesUp = isTransient
      ? clock.now() >= fromIso(row.expires_at)
      : row.attempts >= MAX_ATTEMPTS_OF_BUGS;
    return { is: givesUp ? 'failed' : 'retry', reason };
  }
}

function changeFor(
  row: PaymentEvent,
  outcome: EventOutcome,
  endedAt: number,
  now: number,
): Updateable<PaymentEventsTable> {
  switch (outcome.is) {
    case 'ok':
      return { status: 'applied', applied_at: toIso(endedAt), last_error: null };
    case 'ignored':
      return { status: 'ignored', last_error: null };
    case 'failed':
      return { status: 'failed', last_error: outcome.reason };
    case 'retry': {
      const wait = exponentialBackoffMs({
        attempt: row.attempts,
        firstMs: FIRST_WAIT_MS,
        maxMs: MAX_WAIT_MS,
      });
      return { status: 'pending', due_at: toIso(now + wait), last_error: outcome.reason };
    }
  }
}

function noticeOf(row: PaymentEvent, reason: string) {
  return {
    watchId: null,
    kind: 'payment_event_failed' as const,
    dedupeKey: `payment-event-failed:${row.id}:${row.attempts}`,
    title: 'A payment event could not be applied',
    body: `Stripe's event ${row.stripe_event_id} (${row.type}) was given up after ${row.attempts} attempts: ${reason} When the cause is gone, run: npm run payments -- retry ${row.stripe_event_id}`,
  };
}

/** Applies Stripe's events. One that fails for good is reported to the admins. */
export function createEventSender(context: EventSenderContext): OutboxSender<PaymentEvent> {
  const { db, clock, adminContacts, onNotices } = context;
  return createOutboxSender(context, {
    outbox: paymentEventOutbox,
    messages: { ok: 'applied', skipped: 'ignored', failed: 'not applied' },
    send: (row) => attempt(context, row),
    async record(row, outcome, endedAt) {
      const now = clock.now();
      const { after, notices } = await inTransaction(db, async (trx) => {
        const settled = await paymentEventOutbox.settle(trx, row, changeFor(row, outcome, endedAt, now), now);
        const isReported = settled !== null && outcome.is === 'failed';
        return {
          after: settled,
          notices: isReported ? await addNotice(trx, noticeOf(row, outcome.reason), adminContacts, now) : [],
        };
      });
      if (outcome.is === 'ok' && row.object_type === 'payment_intent')
        notices.push(...(await announceReversals(db, { adminContacts, now })));
      if (notices.length > 0) onNotices?.(notices);
      return after?.status === 'pending' ? [after] : [];
    },
    describe: ({ stripe_event_id: eventId, type, object_id: objectId }) => ({ eventId, type, objectId }),
  });
}
