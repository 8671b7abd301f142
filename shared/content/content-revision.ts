import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../database/schema';

/** Counts a change to what visitors read, in the transaction of that change. */
export async function bumpContentRevision(trx: Transaction<Schema>): Promise<void> {
  await trx
    .updateTable('content_state')
    .set((row) => ({ revision: row('revision', '+', 1) }))
    .execute();
}

/** How often what visitors read has changed: a page made at this number is good until the next. */
export async function readContentRevision(db: Kysely<Schema>): Promise<number> {
  const { revision } = await db.selectFrom('content_state').select('revision').executeTakeFirstOrThrow();
  return Number(revision);
}
