import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema';
import { findBody } from './stored-body.server';
import { readWatch } from './watches';

/** What the last check saw, to find out why it was judged so. */
export interface LatestDebug {
  timestamp: string;
  queueDetected: boolean;
  /** Milliseconds. */
  responseTime: number;
  /** In characters, of the whole answer; `rawResponse` may be shorter, or gone (null) after a week. */
  rawResponseLength: number;
  errorMessage: string | null;
  rawResponse: string | null;
}

/** The last check with the page it saw; null before the first. */
export async function findLatestDebug(db: Kysely<Schema>): Promise<LatestDebug | null> {
  const { last_check_id } = await readWatch(db);
  if (last_check_id === null) return null;
  const row = await db
    .selectFrom('monitor_checks')
    .select(['check_timestamp', 'queue_detected', 'response_time_ms', 'raw_response_length', 'error_message'])
    .where('id', '=', last_check_id)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    timestamp: row.check_timestamp,
    queueDetected: row.queue_detected === 1,
    responseTime: row.response_time_ms,
    rawResponseLength: row.raw_response_length,
    errorMessage: row.error_message,
    rawResponse: row.raw_response_length === 0 ? '' : await findBody(db, last_check_id),
  };
}
