import type { Kysely, Transaction } from 'kysely';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { Schema } from '../../database/schema';

/** Of a page, this much is kept: bytes of UTF-8. */
export const RAW_RESPONSE_LIMIT = 100 * 1024;
/** The fastest level: an alert may wait for it, and HTML shrinks to a quarter all the same. */
const LEVEL = 1;

const deflateText = promisify<Uint8Array, { level: number }, Buffer>(deflate);
const inflateBytes = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflate);

/** The beginning of a text, as UTF-8 of at most `limit` bytes; a character that does not fit is left out whole. */
export function firstBytes(text: string, limit: number): Uint8Array {
  const room = new Uint8Array(limit);
  return room.subarray(0, new TextEncoder().encodeInto(text, room).written);
}

/** What is stored of a page: its first 100 KB, compressed; null for an empty one. */
export async function compressBody(page: string): Promise<Uint8Array | null> {
  return page === '' ? null : deflateText(firstBytes(page, RAW_RESPONSE_LIMIT), { level: LEVEL });
}

/** Stores what `compressBody` made, in the transaction of the check. */
export async function addBody(
  trx: Transaction<Schema>,
  { checkId, checkTimestamp, deflated }: { checkId: string; checkTimestamp: string; deflated: Uint8Array },
): Promise<void> {
  await trx
    .insertInto('check_bodies')
    .values({ check_id: checkId, check_timestamp: checkTimestamp, deflated })
    .execute();
}

/** The kept beginning of the page that a check saw; null when there was none, or retention has cleared it. */
export async function findBody(db: Kysely<Schema>, checkId: string): Promise<string | null> {
  const row = await db
    .selectFrom('check_bodies')
    .select('deflated')
    .where('check_id', '=', checkId)
    .executeTakeFirst();
  if (row === undefined) return null;
  // Bodies from before the limit was counted in bytes are longer: at most three bytes to a character.
  const bytes = await inflateBytes(row.deflated, { maxOutputLength: 3 * RAW_RESPONSE_LIMIT });
  return bytes.toString('utf8');
}
