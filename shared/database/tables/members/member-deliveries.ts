import type { OutboxColumns } from '../outbox-columns';

/** The outbox of alerts to members: one row per alert, member and address or browser. */
export interface MemberDeliveriesTable extends OutboxColumns {
  /** Null: a test that the member asked for. */
  alert_id: string | null;
  user_id: string;
  channel: 'email' | 'push';
  /** Email: the user's id. Push: the id of the push subscription. */
  target: string;
  /** When an admin marked a dead or expired delivery as handled. */
  handled_at: string | null;
}
