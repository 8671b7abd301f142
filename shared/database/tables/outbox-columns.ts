import type { Generated } from 'kysely';

/**
 * How far a row of an outbox is. pending: to be sent at `due_at` (by the transaction that adds it, or a failed attempt that
 * is retried); sending: claimed until `claimed_until` (by the sender); sent: the receiver accepted it (by the sender);
 * cancelled: it is no longer wanted or true (by the change that ends it, or the sender); expired: too late (by the sender);
 * dead: refused for good, reason in `last_error` (by the sender).
 */
export type OutboxStatus = 'pending' | 'sending' | 'sent' | 'cancelled' | 'expired' | 'dead';

/** The columns that every outbox table has. */
export interface OutboxColumns<Status extends string = OutboxStatus> {
  id: string;
  status: Status;
  due_at: string;
  /** The row is not sent after this time. */
  expires_at: string;
  /** All attempts, those to edit a posted message included. */
  attempts: Generated<number>;
  claimed_by: string | null;
  claimed_until: string | null;
  /** 1 when an attempt ended without an answer: the receiver may already have the message. */
  uncertain: Generated<0 | 1>;
  sent_at: string | null;
  last_status: number | null;
  last_error: string | null;
  created_at: string;
  updated_at: string;
}
