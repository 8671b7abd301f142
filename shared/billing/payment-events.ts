import type { Selectable } from 'kysely';
import { DAY } from '../clock';
import type { PaymentEventsTable } from '../database/tables/payments/payment-events';
import { OUTBOXES } from '../outbox/outboxes';

export type PaymentEvent = Selectable<PaymentEventsTable>;

const STATES = { sent: 'applied', cancelled: 'ignored', dead: 'failed', expired: 'failed' } as const;

/** The state of an event as the command line names it. */
export function eventStateOf({ status }: Pick<PaymentEvent, 'status'>) {
  return status === 'pending' || status === 'sending' ? status : STATES[status];
}

/** An event as the command line shows it. */
export function describeEvent({ sent_at, uncertain: _, last_status: __, ...event }: PaymentEvent) {
  return { ...event, status: eventStateOf(event), applied_at: sent_at };
}

/** An event is tried for as long as Stripe itself sends it again (docs.stripe.com/webhooks/process-undelivered-events). */
export const EVENT_LIFETIME_MS = 3 * DAY;

/** Stripe's events, claimed and retried as the rows of every outbox. */
export const paymentEventOutbox = OUTBOXES.payments;
