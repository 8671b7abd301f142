import type { Database } from '../database/schema';
import type { SubscriptionsTable } from '../database/tables/payments/subscriptions';

/** A subscription as Stripe last showed it, for admins. Times are ISO-8601 UTC. */
export interface ListedSubscription {
  id: string;
  packageName: string;
  /** In Stripe's words, but for attempts that have not reached it (`creating`). */
  status: Exclude<SubscriptionsTable['status'], 'abandoned'>;
  currentPeriodEnd: string | null;
  endedAt: string | null;
  cancelReason: string | null;
  /** Since when Stripe does not know it. */
  missingSince: string | null;
  /** When Stripe's state was last read. */
  syncedAt: string | null;
  createdAt: string;
}

/** The newest subscriptions of an account, newest first, without attempts that were abandoned. */
export async function listSubscriptions(
  db: Database,
  { accountId, limit }: { accountId: string; limit: number },
): Promise<ListedSubscription[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('subscription_packages as package', 'package.id', 'subscriptions.package_id')
    .select([
      'subscriptions.id',
      'package.name as packageName',
      'subscriptions.status',
      'subscriptions.current_period_end as currentPeriodEnd',
      'subscriptions.ended_at as endedAt',
      'subscriptions.cancel_reason as cancelReason',
      'subscriptions.missing_since as missingSince',
      'subscriptions.synced_at as syncedAt',
      'subscriptions.created_at as createdAt',
    ])
    .where('subscriptions.user_id', '=', accountId)
    .where('subscriptions.status', '<>', 'abandoned')
    .orderBy('subscriptions.created_at', 'desc')
    .orderBy('subscriptions.id', 'desc')
    .limit(limit)
    .execute();
  return rows as ListedSubscription[];
}
