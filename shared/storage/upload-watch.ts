import type { Kysely, Transaction } from 'kysely';
import { fromIso, HOUR, toIso } from '../clock';
import type { Schema } from '../database/schema';

/** The sweep comes every few minutes: after a pause this long, the database may be a copy of what it was before it. */
const LONGEST_GAP_MS = HOUR;

/**
 * Since when this database has been watched without a gap (epoch ms); `now` when it has not been. A day counts only
 * while somebody looked: a database that comes back from a backup finds its times a week old and the files of that week
 * all unknown or unclaimed, and has yet to learn which of them are.
 */
export async function watchedSince(db: Kysely<Schema>, now: number): Promise<number> {
  const watch = await db.selectFrom('upload_watch').selectAll().executeTakeFirst();
  if (watch === undefined) return now;
  const lookedAt = fromIso(watch.looked_at);
  // A clock that was set back says nothing about the time that has passed.
  return lookedAt <= now && now - lookedAt <= LONGEST_GAP_MS ? fromIso(watch.since) : now;
}

/** Says that the sweep looks now. */
export async function noteWatch(trx: Transaction<Schema>, { now }: { now: number }): Promise<void> {
  const watch = { since: toIso(await watchedSince(trx, now)), looked_at: toIso(now) };
  await trx
    .insertInto('upload_watch')
    .values({ id: 1, ...watch })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(watch))
    .execute();
}
