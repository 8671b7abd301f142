import { prepareQuery } from '../database/prepare-query';
import type { Database, Transaction } from '../database/schema';

/** Bumps the content version, in the transaction that changes public content. */
export async function bumpContentVersion(trx: Transaction): Promise<void> {
  await trx
    .updateTable('content_state')
    .set((row) => ({ revision: row('revision', '+', 1) }))
    .execute();
}

/** Reads the content version. A page rendered at one version is valid until the next. */
export async function readContentVersion(db: Database): Promise<number> {
  const [row] = await selectRevision(db, {});
  if (row === undefined) throw new Error('content_state has no row');
  return Number(row.revision);
}

const selectRevision = prepareQuery((db) => db.selectFrom('content_state').select('revision'));
