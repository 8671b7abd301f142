import { sql } from 'kysely';
import type { Database } from './connection.server';

/** In pages of 4 KiB: a quarter of the size at which a commit does it (`wal_autocheckpoint`, connection.server.ts). */
const LARGE_LOG_PAGES = 1_000;

/** One row (sqlite.org/pragma.html#pragma_wal_checkpoint): pages in the write-ahead log, and those of them copied. */
interface CheckpointState {
  log: number;
  checkpointed: number;
}

/**
 * Copies the write-ahead log into the database file once it is large, so that no commit has to: that commit waits for the
 * disk (sqlite.org/wal.html, section 2.3). This function waits for the disk, some milliseconds, and for no other process:
 * what was written since the start of a transaction that still reads stays in the log.
 */
export async function checkpointLargeLog(db: Database): Promise<void> {
  const { rows } = await sql<CheckpointState>`pragma wal_checkpoint(noop)`.execute(db);
  const { log, checkpointed } = rows[0] ?? { log: 0, checkpointed: 0 };
  if (log - checkpointed >= LARGE_LOG_PAGES) await sql`pragma wal_checkpoint(passive)`.execute(db);
}
