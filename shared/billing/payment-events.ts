import type { Selectable } from 'kysely';
import { SECOND } from '../clock';
import type { PaymentEventsTable } from '../database/tables/payments/payment-events';
import { createOutbox } from '../outbox/outbox';

export type PaymentEvent = Selectable<PaymentEventsTable>;

/** Longer than reading an object from Stripe with its retries. */
const CLAIM_LASTS_MS = 60 * SECOND;

/** Stripe's events, claimed and retried as the rows of every outbox. */
export const paymentEventOutbox = createOutbox('payment_events', {
  unfinished: ['pending', 'sending'],
  claimLastsMs: CLAIM_LASTS_MS,
});
