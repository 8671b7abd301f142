import { type MemberChannel } from '../../../member-channels';

/** How the deliveries of an alert to members ended, once their rows are removed: one row per alert and channel. */
export interface MemberDeliverySumsTable {
  alert_id: string;
  channel: MemberChannel;
  sent: number;
  cancelled: number;
  /** Refused for good and not handled. */
  failed: number;
  /** Not handled. */
  expired: number;
  /** Failed or expired, and marked as handled by an admin. */
  handled: number;
  /** JSON: the most frequent reasons of failed deliveries, with their counts. */
  reasons: string;
}
