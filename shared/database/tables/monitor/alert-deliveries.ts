import type { Generated } from 'kysely';

/** The outbox: one row per audience and channel (and, by mail, per address) of an alert or of a notice to the admins. */
export interface AlertDeliveriesTable {
  id: string;
  /** Exactly one of the two is set. */
  alert_id: string | null;
  notice_id: string | null;
  audience: 'instant' | 'free' | 'admin';
  channel: 'discord' | 'email';
  /** Discord: the watch whose webhook is used. Email: the address. */
  destination: string;
  /**
   * pending: to be posted at `due_at` (by the transaction that opened the alert, or a failed attempt that is
   * retried); sending: claimed until `claimed_until` (by the sender); sent: the receiver has the current revision (by
   * the sender); outdated: posted, but the alert has changed and the message must be edited at `due_at` (by the
   * alert's change); cancelled: the room closed before it was due (by the closing check); expired: too late (by the
   * sweep or the sender); dead: rejected for good, reason in `last_error` (by the sender).
   */
  status: 'pending' | 'sending' | 'sent' | 'outdated' | 'cancelled' | 'expired' | 'dead';
  due_at: string;
  expires_at: string;
  /** All attempts, those to edit included. */
  attempts: Generated<number>;
  /** The attempt that posted the message; null for one that is not posted, or was before this column. */
  posted_at_attempt: Generated<number | null>;
  /** The edits that the receiver accepted. */
  edits: Generated<number>;
  claimed_by: string | null;
  claimed_until: string | null;
  /** 1 when an attempt ended without an answer: the receiver may already have the message. */
  uncertain: Generated<0 | 1>;
  message_id: string | null;
  /**
   * Discord: the webhook that the message was posted to, sealed; only it can edit the message. Written with
   * `message_id`; cleared by retention a day after the alert ended.
   */
  sealed_webhook: string | null;
  /** The alert's revision that the message shows. */
  sent_revision: Generated<number>;
  sent_at: string | null;
  response_ms: number | null;
  last_status: number | null;
  last_error: string | null;
  /** When an admin marked a dead or expired delivery as handled. */
  handled_at: string | null;
  created_at: string;
  updated_at: string;
}
