import type { Selectable } from 'kysely';
import { DAY } from '../clock';
import type { PaymentEventsTable } from '../database/tables/payments/payment-events';
import { OUTBOXES } from '../outbox/outboxes';

export type PaymentEvent = Selectable<PaymentEventsTable>;

/**
 * An event is tried for as long as Stripe itself sends it again
 * (docs.stripe.com/webhooks/process-undelivered-events).
 */
export const EVENT_LIFETIME_MS = 3 * DAY;

/** Stripe's events, claimed and retried as the rows of every outbox. */
export const paymentEventOutbox = OUTBOXES.payments;
