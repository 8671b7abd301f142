import type { Generated } from 'kysely';
import type { OutboxColumns } from '../outbox-columns';
import { type MemberChannel } from '../../../member-channels';

/** The outbox of alerts to members: one row per alert or announcement, member and address or browser. */
export interface MemberDeliveriesTable extends OutboxColumns {
  /** The alert or the product announcement; neither: a test that the member requested. */
  alert_id: string | null;
  announcement_id: Generated<string | null>;
  user_id: string;
  channel: MemberChannel;
  /** Email: the user's id. Push: the id of the push subscription. */
  target: string;
  /** When an admin marked a dead or expired delivery as handled. */
  handled_at: string | null;
}
