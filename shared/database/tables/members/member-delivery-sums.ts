import { type MemberChannel } from '../../../member-channels';

/** The outcomes of an alert's deliveries to members after their rows are removed: one row per alert and channel. */
export interface MemberDeliverySumsTable {
  alert_id: string;
  channel: MemberChannel;
  sent: number;
  cancelled: number;
  /** Permanently refused and not handled. */
  failed: number;
  /** Not handled. */
  expired: number;
  /** Failed or expired, and marked as handled by an admin. */
  handled: number;
  /** JSON: the most frequent reasons of failed deliveries, with their counts. */
  reasons: string;
}
