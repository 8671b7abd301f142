import type { Database } from '../database/schema';
import { MEMBERSHIP_COLUMNS, membershipOf, PRO_STATUSES, proUntil } from './membership';

/** Accounts in the order of their ids. */
export interface ProMembersPage {
  /** The accounts of this page that have Pro. */
  ids: string[];
  /** The last account that this page covers: the next page begins after it. Null: there are no more. */
  last: string | null;
}

/** Those of some accounts that have Pro at `now` (epoch ms), with the time (epoch ms) until which they have it. */
export async function findProMembers(
  db: Database,
  { accountIds, now }: { accountIds: readonly string[]; now: number },
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('subscriptions')
    .select(['user_id', ...MEMBERSHIP_COLUMNS])
    .where('user_id', 'in', [...accountIds])
    .where('status', 'in', PRO_STATUSES)
    .execute();
  const ends = new Map<string, number>();
  for (const row of rows) {
    const until = proUntil(row) ?? 0;
    if (until > now) ends.set(row.user_id, Math.max(until, ends.get(row.user_id) ?? 0));
  }
  return ends;
}

/**
 * A page of the accounts that have Pro at `now` (epoch ms), those with an id greater than `after`. Reads `limit` rows of
 * subscriptions, so a page may be empty although there are more.
 */
export async function listProMembers(
  db: Database,
  { after, limit, now }: { after: string | null; limit: number; now: number },
): Promise<ProMembersPage> {
  const rows = await db
    .selectFrom('subscriptions')
    .select(['user_id', ...MEMBERSHIP_COLUMNS])
    .where('user_id', '>', after ?? '')
    .where('status', 'in', PRO_STATUSES)
    .orderBy('user_id')
    .limit(limit)
    .execute();
  const last = rows.at(-1)?.user_id ?? null;
  if (last === null) return { ids: [], last: null };
  const complete = rows.length < limit;
  // The next page may hold more subscriptions of the last account, so it is left to that page.
  const others = complete ? rows : rows.filter((row) => row.user_id !== last);
  const covered = others.length === 0 ? rows : others;
  const ids = covered.filter((row) => membershipOf(row, now).tier === 'pro').map((row) => row.user_id);
  return { ids: [...new Set(ids)], last: complete ? null : (covered.at(-1)?.user_id ?? null) };
}
