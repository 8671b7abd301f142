import type { Kysely } from 'kysely';
import { DEFAULT_WATCH_ID } from '../brand';
import type { Schema } from '../database/schema';

/** Differs whenever the monitor was started, stopped, or has checked the shop. */
export async function readMonitorStamp(db: Kysely<Schema>): Promise<string> {
  const { running, last_check_id } = await db
    .selectFrom('watches')
    .select(['running', 'last_check_id'])
    .where('id', '=', DEFAULT_WATCH_ID)
    .executeTakeFirstOrThrow();
  return `${running}:${last_check_id ?? ''}`;
}
