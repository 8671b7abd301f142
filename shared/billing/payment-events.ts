import type { Selectable } from 'kysely';
import { DAY, SECOND } from '../clock';
import type { PaymentEventsTable } from '../database/tables/payments/payment-events';
import { createOutbox } from '../outbox/outbox';

export type PaymentEvent = Selectable<PaymentEventsTable>;

/**
 * An event is tried for as long as Stripe itself sends it again
 * (docs.stripe.com/webhooks/process-undelivered-events).
 */
export const EVENT_LIFETIME_MS = 3 * DAY;
/** Longer than reading an object from Stripe with its retries. */
const CLAIM_LIFETIME_MS = 60 * SECOND;

/** Stripe's events, claimed and retried as the rows of every outbox. */
export const paymentEventOutbox = createOutbox('payment_events', {
  unfinished: ['pending', 'sending'],
  claimLifetimeMs: CLAIM_LIFETIME_MS,
});
