import type { Generated } from 'kysely';
import type { OutboxColumns, OutboxStatus } from '../outbox-columns';

/**
 * The outbox: one row per audience and channel (and, by mail, per address) of an alert or of a notice to the admins.
 * `outdated`: posted, but the alert has changed and the message must be edited at `due_at` (by the alert's change).
 */
export interface AlertDeliveriesTable extends OutboxColumns<OutboxStatus | 'outdated'> {
  /** Exactly one of the two is set. */
  alert_id: string | null;
  notice_id: string | null;
  audience: 'instant' | 'free' | 'admin';
  channel: 'discord' | 'email';
  /** Discord: the watch whose webhook is used. Email: the address. */
  destination: string;
  /** The attempt that posted the message; null for one that is not posted, or was before this column. */
  posted_at_attempt: Generated<number | null>;
  /** The edits that the receiver accepted. */
  edits: Generated<number>;
  message_id: string | null;
  /**
   * Discord: the webhook that the message was posted to, sealed; only it can edit the message. Written with
   * `message_id`; cleared by retention a day after the alert ended.
   */
  sealed_webhook: string | null;
  /** The alert's revision that the message shows. */
  sent_revision: Generated<number>;
  response_ms: number | null;
  /** When an admin marked a dead or expired delivery as handled. */
  handled_at: string | null;
}
