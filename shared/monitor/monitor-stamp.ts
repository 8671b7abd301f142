import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema';

/** Differs whenever the monitor was started, stopped, or has looked at the shop. */
export async function readMonitorStamp(db: Kysely<Schema>): Promise<string> {
  const { running, last_check_id } = await db
    .selectFrom('monitor_state')
    .select(['running', 'last_check_id'])
    .executeTakeFirstOrThrow();
  return `${running}:${last_check_id ?? ''}`;
}
