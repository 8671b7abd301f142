import { addNotice, type AdminContacts } from '../alerts/admin-notices';
import type { Delivery } from '../alerts/deliveries/deliveries';
import { fromIso } from '../clock';
import { isBusy, isStorageFault, isUnknownCommit } from '../database/database-errors';
import { DomainError } from '../errors';
import { createOutboxSender, type OutboxSender, type SenderContext } from '../outbox/outbox-sender';
import type { Outcome } from '../outbox/outcome';
import type { PaymentsContext } from '../payments/payments-context';
import { JOB_LIFETIME_MS, withDeadline } from '../payments/step-deadline.server';
import { reportRefusal } from '../payments/stripe-account.server';
import { describePaymentError } from '../payments/stripe-errors';
import { syncAnyCheckout, type SyncResult } from '../payments/sync-with-stripe.server';
import { syncSubscription, syncSubscriptionCheckout } from '../subscriptions/sync/sync-subscription.server';
import { syncPurchase, syncPurchaseCheckout } from '../tokens/sync-purchase.server';
import { announceReversals } from './announce';
import { paymentEventOutbox, type PaymentEvent } from './payment-events';
import { syncCustomer } from './sync-customer.server';
import { syncPayment } from './sync-payment.server';

/** An error that comes from neither Stripe nor the disk is a bug: it is retried for about four minutes. */
const MAX_ATTEMPTS_OF_BUGS = 8;

export interface EventSenderContext extends SenderContext<PaymentEvent, Outcome> {
  payments: PaymentsContext;
  adminContacts: AdminContacts;
  /** Sends the notices about events that failed permanently; without it the daemon's sweep does. */
  onNotices?: (deliveries: readonly Delivery[]) => void;
}

/** Reads an event's object from Stripe and writes its current state. */
async function applyEvent(payments: PaymentsContext, row: PaymentEvent): Promise<SyncResult> {
  switch (row.object_type) {
    case 'subscription':
      return syncSubscription(payments, row.object_id);
    case 'payment_intent':
      // For a subscription's payment, only refunds and disputes need a sync.
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

/** Applies an event. `cancelled`: it concerns no account here, or its object never existed at Stripe. */
async function apply({ payments, clock }: EventSenderContext, row: PaymentEvent): Promise<Outcome> {
  const isLate = clock.now() >= fromIso(row.expires_at);
  try {
    const result = await withDeadline(JOB_LIFETIME_MS, () => applyEvent(payments, row));
    if (result === 'missing' && !isLate)
      return { kind: 'retry', reason: `Stripe does not know ${row.object_id}.` };
    return { kind: result === 'ignored' || result === 'missing' ? 'cancelled' : 'ok' };
  } catch (error) {
    await reportRefusal(payments, error);
    const reason = describePaymentError(error);
    const isTransient =
      error instanceof DomainError || isBusy(error) || isStorageFault(error) || isUnknownCommit(error);
    if (isTransient) return { kind: isLate ? 'expired' : 'retry', reason };
    return { kind: row.attempts >= MAX_ATTEMPTS_OF_BUGS ? 'rejected' : 'retry', reason };
  }
}

function noticeOf(row: PaymentEvent, reason: string) {
  return {
    watchId: null,
    kind: 'payment_event_failed' as const,
    dedupeKey: `payment-event-failed:${row.id}:${row.attempts}`,
    title: 'A payment event could not be applied',
    body: `Stripe's event ${row.stripe_event_id} (${row.type}) failed after ${row.attempts} attempts: ${reason} When the cause is fixed, run: npm run payments -- retry ${row.stripe_event_id}`,
  };
}

/** Applies Stripe's events. Reports permanent failures to the admins. */
export function createEventSender(context: EventSenderContext): OutboxSender<PaymentEvent> {
  const { adminContacts, onNotices } = context;
  return createOutboxSender<'payment_events', Outcome>(context, {
    outbox: paymentEventOutbox,
    log: { ok: 'applied', cancelled: 'ignored', failed: 'not applied' },
    send: (row) => apply(context, row),
    // The last attempt is made when the time limit ends; only a bug ends an event earlier.
    decidesWhenExpired: true,
    adjust: async (_trx, attempts) =>
      attempts.map(({ row, outcome, change }) => {
        if (outcome.kind === 'retry' && change.status === 'expired')
          return { ...change, status: 'pending', due_at: row.expires_at };
        if (outcome.kind === 'expired') return { ...change, last_error: outcome.reason ?? null };
        return outcome.kind === 'cancelled' ? { ...change, last_error: null } : change;
      }),
    async follow(trx, attempts, now) {
      const notices: Delivery[] = [];
      for (const { row, outcome } of attempts) {
        if (outcome.kind === 'rejected' || outcome.kind === 'expired')
          notices.push(...(await addNotice(trx, noticeOf(row, outcome.reason ?? ''), adminContacts, now)));
        if (outcome.kind === 'ok' && row.object_type === 'payment_intent')
          notices.push(...(await announceReversals(trx, { adminContacts, now })));
      }
      return () => onNotices?.(notices);
    },
    describe: ({ stripe_event_id: eventId, type, object_id: objectId }) => ({ eventId, type, objectId }),
  });
}
