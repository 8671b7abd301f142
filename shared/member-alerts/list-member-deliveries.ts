import { deliveryStateOf, type DeliveryState } from '../alerts/deliveries/delivery-state';
import type { Database } from '../database/schema';
import { isTest } from './member-outbox';
import { type MemberChannel } from '../member-channels';

/** A message to a member, for admins. Times are ISO-8601 UTC. */
export interface ListedDelivery {
  id: string;
  /** Its subject; null: a test that the member requested. */
  about: string | null;
  channel: MemberChannel;
  /** Push: the User-Agent of the browser; null when it is unknown or the browser was removed. */
  userAgent: string | null;
  state: DeliveryState;
  /** Why it was not sent, or is tried again. */
  reason: string | null;
  createdAt: string;
  dueAt: string;
  sentAt: string | null;
}

/** The newest messages to a member, newest first. They are kept for three days after their alert closed. */
export async function listMemberDeliveries(
  db: Database,
  { userId, limit }: { userId: string; limit: number },
): Promise<ListedDelivery[]> {
  const rows = await db
    .selectFrom('member_deliveries as delivery')
    .leftJoin('alerts', 'alerts.id', 'delivery.alert_id')
    .leftJoin('watches', 'watches.id', 'alerts.watch_id')
    .leftJoin('product_announcements as announcement', 'announcement.id', 'delivery.announcement_id')
    .leftJoin('products', 'products.id', 'announcement.product_id')
    .leftJoin('push_subscriptions as device', 'device.id', 'delivery.target')
    .select([
      'delivery.id',
      'delivery.alert_id',
      'delivery.announcement_id',
      'delivery.channel',
      'delivery.status',
      'delivery.attempts',
      'delivery.last_error',
      'delivery.handled_at',
      'delivery.created_at',
      'delivery.due_at',
      'delivery.sent_at',
      'watches.title as watch_title',
      'products.title as product_title',
      'device.user_agent',
    ])
    .where('delivery.user_id', '=', userId)
    .orderBy('delivery.created_at', 'desc')
    .orderBy('delivery.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    about: isTest(row) ? null : (row.watch_title ?? row.product_title ?? 'A product'),
    channel: row.channel,
    userAgent: row.user_agent,
    state: deliveryStateOf(row),
    reason: row.last_error,
    createdAt: row.created_at,
    dueAt: row.due_at,
    sentAt: row.sent_at,
  }));
}
