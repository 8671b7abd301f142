import type { Generated } from 'kysely';

/** The outbox of alerts to members: one row per alert, member and address or browser. */
export interface MemberDeliveriesTable {
  id: string;
  /** Null: a test that the member asked for. */
  alert_id: string | null;
  user_id: string;
  channel: 'email' | 'push';
  /** Email: the user's id. Push: the id of the push subscription. */
  target: string;
  /**
   * pending: to be sent at `due_at` (by the fan-out, the member's test, or a failed attempt that is retried); sending:
   * claimed until `claimed_until` (by the sender); sent: the mail server or push service accepted it (by the sender);
   * cancelled: the waiting room closed before, or the member no longer wants it (by the sender); expired: too late (by
   * the sender); dead: refused for good, reason in `last_error` (by the sender).
   */
  status: 'pending' | 'sending' | 'sent' | 'cancelled' | 'expired' | 'dead';
  due_at: string;
  expires_at: string;
  attempts: Generated<number>;
  claimed_by: string | null;
  claimed_until: string | null;
  /** 1 when an attempt ended without an answer: the mail server or push service may already have the message. */
  uncertain: Generated<0 | 1>;
  sent_at: string | null;
  last_status: number | null;
  last_error: string | null;
  /** When an admin marked a dead or expired delivery as handled. */
  handled_at: string | null;
  created_at: string;
  updated_at: string;
}
