import type { Selectable } from 'kysely';
import { DAY, fromIso, toIso } from '../clock';
import { prepareQuery } from '../database/prepare-query';
import type { Database } from '../database/schema';
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

export type Terms = Pick<
  StoredSubscription,
  'status' | 'current_period_end' | 'cancel_at_period_end' | 'cancel_at' | 'grace_until'
>;

/** The columns that `membershipOf` and `chooseSubscription` need. */
export const MEMBERSHIP_COLUMNS = [
  'status',
  'current_period_end',
  'cancel_at_period_end',
  'cancel_at',
  'grace_until',
] as const;

/** The statuses that can give Pro; whether they do is for `membershipOf`. */
export const PRO_STATUSES = ['trialing', 'active', 'past_due', 'unpaid'] as const;

/** Whether Stripe ends a subscription at a known time: with its period, or by a date. */
export const isCanceling = ({
  cancel_at_period_end: flag,
  cancel_at: date,
}: Pick<Terms, 'cancel_at_period_end' | 'cancel_at'>): boolean => flag === 1 || date !== null;

/** Whether an unpaid renewal ends Pro after the grace. Other unpaid invoices take nothing away in a paid period. */
export const isRenewalUnpaid = ({ status, grace_until }: Pick<Terms, 'status' | 'grace_until'>): boolean =>
  status === 'past_due' && grace_until !== null;

/** Until when (epoch ms) the status gives Pro without a date of cancellation; null when it does not. */
function untilByStatus({
  status,
  current_period_end,
  cancel_at_period_end,
  grace_until,
}: Terms): number | null {
  if (status === 'past_due' && grace_until !== null) return fromIso(grace_until);
  const isPaid = status === 'active' || status === 'trialing' || status === 'past_due';
  // Stripe sets `unpaid` when it gives up an invoice. Without a grace that is another one than the renewal.
  if (!isPaid && !(status === 'unpaid' && grace_until === null)) return null;
  if (current_period_end === null) return null;
  // Stripe renews an active subscription; the event of the renewal may be late.
  const wait = cancel_at_period_end === 1 || status === 'unpaid' ? 0 : GRACE_MS;
  return fromIso(current_period_end) + wait;
}

/** Until when (epoch ms) a subscription gives Pro; null when it does not. */
export function proUntil(terms: Terms): number | null {
  const until = untilByStatus(terms);
  if (until === null || terms.cancel_at === null) return until;
  return Math.min(until, fromIso(terms.cancel_at));
}

/** When Pro ends, or renews, as the member reads it. */
function expiryOf(terms: Terms, until: number): string | null {
  if (isRenewalUnpaid(terms)) return toIso(until);
  return terms.cancel_at ?? terms.current_period_end;
}

/** The membership that a subscription gives at `now` (epoch ms), from stored times: Pro ends on time without an event. */
export function membershipOf(subscription: Terms | null, now: number): Membership {
  const until = subscription === null ? null : proUntil(subscription);
  if (subscription === null || until === null || until <= now) return FREE_MEMBERSHIP;
  return {
    tier: 'pro',
    expiresAt: expiryOf(subscription, until),
    cancelAtPeriodEnd: isCanceling(subscription),
  };
}

/** Of an account's subscriptions, the one that gives Pro at `now` (epoch ms) for longest; null for free. */
export function chooseSubscription<Row extends Terms>(rows: readonly Row[], now: number): Row | null {
  const active = rows
    .map((row) => ({ row, until: proUntil(row) ?? 0 }))
    .filter(({ until }) => until > now)
    .sort((a, b) => b.until - a.until);
  return active[0]?.row ?? null;
}

const selectPro = prepareQuery((db, { accountId }: { accountId: string }) =>
  db
    .selectFrom('subscriptions')
    .selectAll()
    .where('user_id', '=', accountId)
    .where('status', 'in', PRO_STATUSES),
);

/** The subscription that gives an account Pro at `now` (epoch ms), the longest one if there are several; null for free. */
export async function findActiveSubscription(
  db: Database,
  { accountId, now }: { accountId: string; now: number },
): Promise<StoredSubscription | null> {
  return chooseSubscription(await selectPro(db, { accountId }), now);
}

/** The membership of an account at `now` (epoch ms). */
export async function readMembership(
  db: Database,
  { accountId, now }: { accountId: string; now: number },
): Promise<Membership> {
  return membershipOf(await findActiveSubscription(db, { accountId, now }), now);
}
