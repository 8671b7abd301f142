import type { Kysely, Selectable } from 'kysely';
import { DAY, fromIso, toIso } from '../clock';
import type { Schema } from '../database/schema';
import type { SubscriptionsTable } from '../database/tables/payments/subscriptions';

/** After a failed renewal Pro continues for this long; the event of a renewal may be this late. */
export const GRACE_MS = 3 * DAY;

export type StoredSubscription = Selectable<SubscriptionsTable>;

/** The subscription of an account; the field names are the API's. */
export interface Membership {
  tier: 'free' | 'pro';
  /** When Pro ends or renews; after a failed renewal, the end of the grace. */
  expiresAt: string | null;
  cancelAtPeriodEnd: boolean;
}

/** The membership of an account without a subscription. */
export const FREE_MEMBERSHIP: Membership = { tier: 'free', expiresAt: null, cancelAtPeriodEnd: false };

type Terms = Pick<
  StoredSubscription,
  'status' | 'current_period_end' | 'cancel_at_period_end' | 'grace_until'
>;

/** Until when (epoch ms) a subscription gives Pro; null when it does not. */
function proUntil({ status, current_period_end, cancel_at_period_end, grace_until }: Terms): number | null {
  if (status === 'past_due') return grace_until === null ? null : fromIso(grace_until);
  if ((status !== 'active' && status !== 'trialing') || current_period_end === null) return null;
  // Stripe renews an active subscription; the event of the renewal may be late.
  return fromIso(current_period_end) + (cancel_at_period_end === 1 ? 0 : GRACE_MS);
}

/**
 * The membership that a subscription gives at `now` (epoch ms). It is computed from the stored times, so that Pro ends
 * on time without an event.
 */
export function membershipOf(subscription: Terms | null, now: number): Membership {
  const until = subscription === null ? null : proUntil(subscription);
  if (subscription === null || until === null || until <= now) return FREE_MEMBERSHIP;
  return {
    tier: 'pro',
    expiresAt: subscription.status === 'past_due' ? toIso(until) : subscription.current_period_end,
    cancelAtPeriodEnd: subscription.cancel_at_period_end === 1,
  };
}

/**
 * The subscription that gives an account Pro at `now` (epoch ms), the longest one if there are several; null for free.
 */
export async function findActiveSubscription(
  db: Kysely<Schema>,
  { accountId, now }: { accountId: string; now: number },
): Promise<StoredSubscription | null> {
  const rows = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('user_id', '=', accountId)
    .where('status', 'in', ['trialing', 'active', 'past_due'])
    .execute();
  const active = rows
    .map((row) => ({ row, until: proUntil(row) ?? 0 }))
    .filter(({ until }) => until > now)
    .sort((a, b) => b.until - a.until);
  return active[0]?.row ?? null;
}

/** The membership of an account at `now` (epoch ms). */
export async function readMembership(
  db: Kysely<Schema>,
  { accountId, now }: { accountId: string; now: number },
): Promise<Membership> {
  return membershipOf(await findActiveSubscription(db, { accountId, now }), now);
}
