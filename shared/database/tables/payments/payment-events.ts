import type { Generated } from 'kysely';

/** Stripe's signed events, each stored once. They hold no payment data: the job reads the object afresh from Stripe. */
export interface PaymentEventsTable {
  id: string;
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
  /**
   * pending: to be applied at `due_at` (by the webhook, or a failed attempt that is retried); sending: claimed until
   * `claimed_until` by a daemon that applies it; applied: Stripe's state is written; ignored: it concerns no account of
   * ours; failed: given up, reason in `last_error`, and the admins are notified. The last three
   * are written by the daemon; `npm run payments -- retry` makes a failed one pending.
   */
  status: 'pending' | 'sending' | 'applied' | 'ignored' | 'failed';
  due_at: string;
  /** Given up after this time. */
  expires_at: string;
  attempts: Generated<number>;
  claimed_by: string | null;
  claimed_until: string | null;
  last_error: string | null;
  applied_at: string | null;
  created_at: string;
  updated_at: string;
}
