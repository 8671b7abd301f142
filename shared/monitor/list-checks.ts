import type { Kysely, Selectable } from 'kysely';
import { HOUR, toIso, type Clock } from '../clock';
import type { Schema } from '../database/schema';
import type { MonitorChecksTable } from '../database/tables/monitor-checks';

/** A check as callers see it; the names are the API's. */
export interface MonitorCheck {
  id: string;
  queue_detected: boolean;
  error_message: string | null;
  response_time_ms: number;
  /** Null in lists, and once retention has cleared it. */
  raw_response: string | null;
  alert_sent: boolean;
  check_timestamp: string;
  http_status_code: number | null;
  scrappey_status: MonitorChecksTable['scrappey_status'];
  proxy_used: string | null;
  scrappey_request_id: string | null;
  content_analysis: unknown;
  response_headers: unknown;
}

const LISTED = [
  'id',
  'queue_detected',
  'error_message',
  'response_time_ms',
  'alert_sent',
  'check_timestamp',
  'http_status_code',
  'scrappey_status',
  'proxy_used',
  'scrappey_request_id',
  'content_analysis',
  'response_headers',
] as const;

type ListedRow = Pick<Selectable<MonitorChecksTable>, (typeof LISTED)[number]>;

function toCheck(row: ListedRow, rawResponse: string | null): MonitorCheck {
  return {
    ...row,
    queue_detected: row.queue_detected === 1,
    alert_sent: row.alert_sent === 1,
    raw_response: rawResponse,
    content_analysis: JSON.parse(row.content_analysis),
    response_headers: JSON.parse(row.response_headers),
  };
}

/** The checks of the last hours, newest first, without the pages they saw. */
export async function listChecks(
  db: Kysely<Schema>,
  { hours, clock }: { hours: number; clock: Clock },
): Promise<MonitorCheck[]> {
  const rows = await db
    .selectFrom('monitor_checks')
    .select(LISTED)
    .where('check_timestamp', '>=', toIso(clock.now() - hours * HOUR))
    .orderBy('check_timestamp', 'desc')
    .execute();
  return rows.map((row) => toCheck(row, null));
}

/** One check with the page it saw, or null. */
export async function findCheck(db: Kysely<Schema>, id: string): Promise<MonitorCheck | null> {
  const row = await db
    .selectFrom('monitor_checks')
    .select([...LISTED, 'raw_response'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { raw_response, ...listed } = row;
  return toCheck(listed, raw_response);
}
