import { promisify } from 'node:util';
import { deflateSync, inflate } from 'node:zlib';
import { prepareQuery } from '../../database/prepare-query';
import type { Database } from '../../database/schema';
import { inTransaction } from '../../database/transaction';
import type { CheckBodiesTable } from '../../database/tables/monitor/monitor-checks';

/** Stored bytes (UTF-8) of a response body. */
export const RAW_RESPONSE_LIMIT = 100 * 1024;
/** The fastest level, because the checks of all watches wait for it; HTML still shrinks to a quarter. */
const LEVEL = 1;

const encoder = new TextEncoder();
const inflateBytes = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflate);

/** Encodes the beginning of a text as at most `limit` bytes of UTF-8, without splitting a character. */
export function firstBytes(text: string, limit: number): Uint8Array {
  // UTF-8 has at most three bytes for each unit of UTF-16.
  const room = new Uint8Array(Math.min(limit, text.length * 3));
  return room.subarray(0, encoder.encodeInto(text, room).written);
}

/**
 * Compresses the first 100 KB of a response body; null for an empty one. On this thread, because that takes at most a
 * millisecond.
 */
export function compressBody(page: string): Uint8Array | null {
  return page === '' ? null : deflateSync(firstBytes(page, RAW_RESPONSE_LIMIT), { level: LEVEL });
}

/** Stores a compressed body, in the transaction of its check. */
export const addBody = prepareQuery((db, body: CheckBodiesTable) =>
  db.insertInto('check_bodies').values(body),
);

/** Stores the page of a check that is recorded already. Throws when the check has been deleted since. */
export async function storePage(
  db: Database,
  {
    watchId,
    checkId,
    checkedAt,
    page,
  }: { watchId: string; checkId: string; checkedAt: string; page: string },
): Promise<void> {
  const deflated = compressBody(page);
  if (deflated === null) return;
  const body = { check_id: checkId, check_timestamp: checkedAt, deflated };
  await inTransaction(db, (trx) => addBody(trx, body), { watch: watchId });
}

/** Reads the stored body of a check; null when there was none, or retention has deleted it. */
export async function findBody(db: Database, checkId: string): Promise<string | null> {
  const row = await db
    .selectFrom('check_bodies')
    .select('deflated')
    .where('check_id', '=', checkId)
    .executeTakeFirst();
  if (row === undefined) return null;
  // Older releases counted the limit in characters, which have up to three bytes.
  const bytes = await inflateBytes(row.deflated, { maxOutputLength: 3 * RAW_RESPONSE_LIMIT });
  return bytes.toString('utf8');
}

/** Whether the response of a check is still stored; an empty one always is. Null when there is no such check. */
export async function hasStoredPage(db: Database, checkId: string): Promise<boolean | null> {
  const row = await db
    .selectFrom('monitor_checks')
    .leftJoin('check_bodies', 'check_bodies.check_id', 'monitor_checks.id')
    .select(['raw_response_length', 'check_bodies.check_id'])
    .where('monitor_checks.id', '=', checkId)
    .executeTakeFirst();
  return row === undefined ? null : row.raw_response_length === 0 || row.check_id !== null;
}
