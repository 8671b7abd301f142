import { isPostgres } from './postgres/is-postgres';
import type { Database } from './schema';
import { checkpointLargeLog, emptyLog, releaseFreePages } from './sqlite/free-space';
import { findLogFaultOf } from './sqlite/log-size';

/** Upkeep of every few seconds, while no alert is sent: keeps SQLite's write-ahead log small. PostgreSQL does it itself. */
export async function keepLogSmall(db: Database): Promise<void> {
  if (!isPostgres(db)) await checkpointLargeLog(db);
}

/** After rows were deleted: truncates the free pages of the SQLite file. PostgreSQL uses the space again (autovacuum). */
export async function releaseSpace(db: Database): Promise<void> {
  if (!isPostgres(db)) await releaseFreePages(db);
}

/** After personal data was deleted: empties SQLite's write-ahead log, which holds it until then. PostgreSQL: autovacuum. */
export async function eraseFreed(db: Database): Promise<void> {
  if (!isPostgres(db)) await emptyLog(db);
}

/** Why SQLite's write-ahead log is too large, in a sentence for an operator, or null. */
export async function findLogFault(db: Database): Promise<string | null> {
  return isPostgres(db) ? null : findLogFaultOf(db);
}
