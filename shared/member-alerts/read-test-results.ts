import type { Kysely } from 'kysely';
import { deliveryStateOf, type DeliveryState } from '../alerts/deliveries/delivery-state';
import type { Schema } from '../database/schema';

/** The state of a test message to one address or browser. */
export interface TestResult {
  channel: 'email' | 'push';
  /** Push: the User-Agent of the browser; null when it is unknown or the device was removed. */
  userAgent: string | null;
  state: DeliveryState;
  /** Why it failed or is tried again. */
  reason: string | null;
}

/** The member's newest test, with a result per address and browser; null without one (tests are kept for 90 days). */
export async function readTestResults(
  db: Kysely<Schema>,
  { userId }: { userId: string },
): Promise<{ requestedAt: string; results: TestResult[] } | null> {
  const rows = await db
    .selectFrom('member_deliveries as delivery')
    .leftJoin('push_subscriptions as device', 'device.id', 'delivery.target')
    .select([
      'delivery.channel',
      'delivery.status',
      'delivery.attempts',
      'delivery.last_error',
      'delivery.handled_at',
      'delivery.created_at',
      'device.user_agent',
    ])
    .where('delivery.user_id', '=', userId)
    .where('delivery.alert_id', 'is', null)
    .where('delivery.announcement_id', 'is', null)
    .where('delivery.created_at', '=', (newest) =>
      newest
        .selectFrom('member_deliveries')
        .select((of) => of.fn.max('created_at').as('created_at'))
        .where('user_id', '=', userId)
        .where('alert_id', 'is', null)
        .where('announcement_id', 'is', null),
    )
    .orderBy('delivery.channel')
    .orderBy('delivery.id')
    .execute();
  const [first] = rows;
  if (first === undefined) return null;
  return {
    requestedAt: first.created_at,
    results: rows.map((row) => ({
      channel: row.channel,
      userAgent: row.user_agent,
      state: deliveryStateOf(row),
      reason: row.last_error,
    })),
  };
}
