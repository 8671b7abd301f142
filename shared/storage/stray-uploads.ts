import { setImmediate as breathe } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';

/** Small steps: no other writer waits long. */
const BATCH = 200;

/**
 * Strays are at most this part of what the ledger keeps. A crash leaves one or two; a database that does not know a
 * fifth of the pictures beside it is more likely the wrong one (empty, another site's, far too old), and what it would
 * remove cannot be brought back, while files too many only take room.
 */
const MOST_FOR_EACH_KEPT = 1 / 4;

/** Whether so many strays are a reason to doubt the database rather than the files. */
export function areTooMany(strays: number, kept: number): boolean {
  return strays > kept * MOST_FOR_EACH_KEPT;
}

function* batches(ids: readonly string[]): Generator<string[]> {
  for (let start = 0; start < ids.length; start += BATCH) yield ids.slice(start, start + BATCH);
}

/** Those of the stored uploads that have no row in the ledger. */
export async function listStrays(db: Kysely<Schema>, stored: readonly string[]): Promise<string[]> {
  const strays: string[] = [];
  for (const ids of batches(stored)) {
    const rows = await db.selectFrom('uploads').select('id').where('id', 'in', ids).execute();
    const known = new Set(rows.map(({ id }) => id));
    strays.push(...ids.filter((id) => !known.has(id)));
    await breathe();
  }
  return strays;
}

/** Those of the strays that this database first saw as such before `before` (epoch ms). */
export async function listStraysSeen(
  db: Kysely<Schema>,
  strays: readonly string[],
  before: number,
): Promise<string[]> {
  const seen: string[] = [];
  for (const ids of batches(strays)) {
    const rows = await db
      .selectFrom('stray_uploads')
      .select('id')
      .where('id', 'in', ids)
      .where('seen_at', '<', toIso(before))
      .execute();
    seen.push(...rows.map(({ id }) => id));
    await breathe();
  }
  return seen;
}

/** Remembers when each stray was first seen, and forgets those that are none any more. */
export async function noteStrays(db: Kysely<Schema>, strays: readonly string[], now: number): Promise<void> {
  const noted = await db.selectFrom('stray_uploads').select('id').execute();
  const there = new Set(noted.map(({ id }) => id));
  const still = new Set(strays);
  for (const ids of batches(strays.filter((id) => !there.has(id)))) {
    const rows = ids.map((id) => ({ id, seen_at: toIso(now) }));
    await inTransaction(db, (trx) =>
      trx
        .insertInto('stray_uploads')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
  }
  for (const ids of batches(noted.map(({ id }) => id).filter((id) => !still.has(id))))
    await inTransaction(db, (trx) => trx.deleteFrom('stray_uploads').where('id', 'in', ids).execute());
}
