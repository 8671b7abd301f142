import type { CompiledQuery, Kysely, Transaction } from 'kysely';
import type { Schema } from '../database/schema';

/** Counts a change to what visitors read, in the transaction of that change. */
export async function bumpContentVersion(trx: Transaction<Schema>): Promise<void> {
  await trx
    .updateTable('content_state')
    .set((row) => ({ revision: row('revision', '+', 1) }))
    .execute();
}

// Asked by every page: to put the words of the question together would cost more than to answer it.
let question: CompiledQuery<{ revision: number }> | undefined;

/** How often what visitors read has changed: a page made at this number is good until the next. */
export async function readContentVersion(db: Kysely<Schema>): Promise<number> {
  question ??= db.selectFrom('content_state').select('revision').compile();
  const [row] = (await db.executeQuery(question)).rows;
  if (row === undefined) throw new Error('content_state has no row');
  return Number(row.revision);
}
