import type { CompiledQuery, Kysely, Transaction } from 'kysely';
import type { Schema } from '../database/schema';

/** Bumps the content version, in the transaction that changes public content. */
export async function bumpContentVersion(trx: Transaction<Schema>): Promise<void> {
  await trx
    .updateTable('content_state')
    .set((row) => ({ revision: row('revision', '+', 1) }))
    .execute();
}

// Compiled once: every page runs this query, and building it costs more than running it.
let query: CompiledQuery<{ revision: number }> | undefined;

/** Reads the content version. A page rendered at one version is valid until the next. */
export async function readContentVersion(db: Kysely<Schema>): Promise<number> {
  query ??= db.selectFrom('content_state').select('revision').compile();
  const [row] = (await db.executeQuery(query)).rows;
  if (row === undefined) throw new Error('content_state has no row');
  return Number(row.revision);
}
