import type { OutboxColumns } from '../outbox-columns';

/**
 * Stripe's signed events, each stored once. They hold no payment data: the job reads the object afresh from Stripe. They
 * are an outbox: `sent` is an event whose state at Stripe is written, `cancelled` one that concerns no account here;
 * `npm run payments -- retry` makes a dead or expired one pending.
 */
export interface PaymentEventsTable extends OutboxColumns {
  stripe_event_id: string;
  type: string;
  /**
   * What is read from Stripe when the event is applied: for an invoice its subscription, for a charge, refund or dispute
   * its payment. The event's own object when the event is ignored.
   */
  object_type: string;
  object_id: string;
  stripe_customer_id: string | null;
  stripe_created_at: string;
}
