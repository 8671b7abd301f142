import { DEFAULT_WATCH_ID } from '../../brand';
import { CLOCK_TOLERANCE_MS, fromIso, SECOND, toIso, type Clock } from '../../clock';
import type { Database } from '../../database/schema';
import { inTransaction } from '../../database/transaction';
import type { Watch } from '../watches/watches';

/** The longest that a check can take, from its lease to its stored verdict. */
export const CHECK_LIMIT_MS = 45 * SECOND;
/** Longer than a check can take: a check that reaches its limit returns its lease itself. */
export const LEASE_LIFETIME_MS = 60 * SECOND;

/**
 * Whether a check of `owner` may take the lease at `now` (epoch ms). A daemon runs one check of a watch at a time, so a
 * lease of its own was left by a check that failed to return it. A lease that ends implausibly late was taken before the
 * clock was set back.
 */
function isFree(
  { lease_owner, lease_until }: Pick<Watch, 'lease_owner' | 'lease_until'>,
  { owner, now }: { owner: string; now: number },
): boolean {
  if (lease_until === null || lease_owner === owner) return true;
  const until = fromIso(lease_until);
  return until <= now || until > now + LEASE_LIFETIME_MS + CLOCK_TOLERANCE_MS;
}

/**
 * Takes the check lease of a watch and returns the watch, or null while another check holds it. Its `lease_token` only
 * grows (a fencing token): a check that outlived its lease presents an old token and is not recorded.
 */
export async function takeCheckLease(
  db: Database,
  { watchId = DEFAULT_WATCH_ID, owner, clock }: { watchId?: string; owner: string; clock: Clock },
): Promise<Watch | null> {
  return inTransaction(
    db,
    async (trx) => {
      const found = await trx.selectFrom('watches').selectAll().where('id', '=', watchId).executeTakeFirst();
      // Read inside the write lock: a time from before the wait could be older than the lease of an earlier writer.
      const now = clock.now();
      if (found === undefined || !isFree(found, { owner, now })) return null;
      const lease = {
        lease_owner: owner,
        lease_until: toIso(now + LEASE_LIFETIME_MS),
        lease_token: found.lease_token + 1,
      };
      await trx.updateTable('watches').set(lease).where('id', '=', watchId).execute();
      return { ...found, ...lease };
    },
    { watch: watchId },
  );
}

/** Releases the lease, unless another check has taken it since. */
export async function returnCheckLease(
  db: Database,
  token: number,
  watchId: string = DEFAULT_WATCH_ID,
): Promise<void> {
  await inTransaction(
    db,
    (trx) =>
      trx
        .updateTable('watches')
        .set({ lease_owner: null, lease_until: null })
        .where('id', '=', watchId)
        .where('lease_token', '=', token)
        .execute(),
    { watch: watchId },
  );
}

/** Frees the check leases and the turns at hosts of dead daemons. */
export async function freeLeasesOf(db: Database, owners: readonly string[]): Promise<void> {
  if (owners.length === 0) return;
  for (const table of ['watches', 'hosts'] as const)
    await inTransaction(db, (trx) =>
      trx
        .updateTable(table)
        .set({ lease_owner: null, lease_until: null })
        .where('lease_owner', 'in', [...owners])
        .execute(),
    );
}
