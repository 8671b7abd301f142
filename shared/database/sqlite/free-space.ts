import { sql, type Kysely } from 'kysely';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Schema } from '../schema';
import { inTransaction, retryWhileBusy } from '../transaction';

/** Pages (of 4 KB) freed per transaction: about a millisecond. */
const PAGES_PER_STEP = 200;
/** SQLite's value of `auto_vacuum = INCREMENTAL`. */
const INCREMENTAL = 2;

async function readPragma(db: Kysely<Schema>, name: 'auto_vacuum' | 'freelist_count'): Promise<number> {
  const { rows } = await sql<Record<string, number>>`pragma ${sql.raw(name)}`.execute(db);
  return rows[0]?.[name] ?? 0;
}

/** Whether `enableIncrementalVacuum` would rewrite the file. */
export async function needsRewrite(db: Kysely<Schema>): Promise<boolean> {
  return (await readPragma(db, 'auto_vacuum')) !== INCREMENTAL;
}

/**
 * Rewrites a database file that was created without `auto_vacuum`, so that `releaseFreePages` works
 * (sqlite.org/lang_vacuum.html). Takes seconds per gigabyte and needs free disk space of twice the file's size; other
 * writers wait. Returns whether it did. Throws when the disk is full or another process keeps the file locked.
 */
export async function enableIncrementalVacuum(db: Kysely<Schema>): Promise<boolean> {
  if (!(await needsRewrite(db))) return false;
  await sql`pragma auto_vacuum = incremental`.execute(db);
  await retryWhileBusy(() => sql`vacuum`.execute(db));
  return true;
}

/**
 * Truncates the pages that deleted rows left free, in small transactions. Returns how many pages; 0 for a file that
 * `enableIncrementalVacuum` has not rewritten.
 */
export async function releaseFreePages(db: Kysely<Schema>): Promise<number> {
  if ((await readPragma(db, 'auto_vacuum')) !== INCREMENTAL) return 0;
  let released = 0;
  for (;;) {
    const step = await inTransaction(db, async (trx) => {
      const count = Math.min(PAGES_PER_STEP, await readPragma(trx, 'freelist_count'));
      // The statement frees one page each time it is stepped, and Kysely steps it once.
      for (let page = 0; page < count; page += 1) await sql`pragma incremental_vacuum(1)`.execute(trx);
      return count;
    });
    released += step;
    if (step < PAGES_PER_STEP) return released;
    await yieldToEventLoop();
  }
}

/** In pages of 4 KiB: a quarter of the size at which a commit does it (`wal_autocheckpoint`, sqlite-database.server.ts). */
const LARGE_LOG_PAGES = 1_000;

/** One row (sqlite.org/pragma.html#pragma_wal_checkpoint): pages in the write-ahead log, and those of them copied. */
interface CheckpointState {
  log: number;
  checkpointed: number;
}

/**
 * Checkpoints the write-ahead log once it is large, so that no commit has to do it and wait for the disk
 * (sqlite.org/wal.html, section 2.3). Waits some milliseconds for the disk, never for other processes: pages that an open
 * read transaction still needs stay in the log.
 */
export async function checkpointLargeLog(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<CheckpointState>`pragma wal_checkpoint(noop)`.execute(db);
  const { log, checkpointed } = rows[0] ?? { log: 0, checkpointed: 0 };
  if (log - checkpointed >= LARGE_LOG_PAGES) await sql`pragma wal_checkpoint(passive)`.execute(db);
}

/** Copies the whole write-ahead log into the database file and truncates it, unless another program is using it. */
export async function emptyLog(db: Kysely<Schema>): Promise<void> {
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
}
