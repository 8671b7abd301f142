import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../../database/schema';
import type { MonitorChecksTable } from '../../../database/tables/monitor/monitor-checks';
import { flagsSchema, type CheckFlags } from '../check-flags';
import { findBody } from '../stored-body.server';
import { storedAnalysisSchema, type StoredAnalysis } from '../verdict';

type CheckRow = Selectable<MonitorChecksTable>;

/** One check with all that is stored of it. */
export interface CheckDetails {
  id: string;
  /** When the verdict was reached (ISO-8601). */
  at: string;
  trigger: CheckRow['trigger'];
  verdict: CheckRow['verdict'];
  strength: CheckRow['strength'];
  reason: string;
  /** The judgement with its signs; null if what is stored cannot be read. */
  analysis: StoredAnalysis | null;
  flags: CheckFlags;
  targetUrl: string;
  finalUrl: string | null;
  httpStatus: number | null;
  responseMs: number;
  errorMessage: string | null;
  scrappeyStatus: CheckRow['scrappey_status'];
  scrappeyRequestId: string | null;
  proxyUsed: string | null;
  alertSent: boolean;
  /** Name and value of each response header; cookie values are left out. */
  headers: [string, string][];
  /** In characters, of the whole response. */
  bodyLength: number;
  /** The first 100 KB of the response; null once retention has deleted it. */
  body: string | null;
}

const headersSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

function headersOf(json: string): [string, string][] {
  const headers = headersSchema.safeParse(JSON.parse(json)).data ?? {};
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
}

/** Finds a check of a watch with its response body; null when that watch has none with this id. */
export async function findCheckDetails(
  db: Database,
  { watchId, checkId }: { watchId: string; checkId: string },
): Promise<CheckDetails | null> {
  const row = await db
    .selectFrom('monitor_checks')
    .selectAll()
    .where('id', '=', checkId)
    .where('watch_id', '=', watchId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const analysis: unknown = JSON.parse(row.content_analysis);
  return {
    id: row.id,
    at: row.check_timestamp,
    trigger: row.trigger,
    verdict: row.verdict,
    strength: row.strength,
    reason: row.reason,
    analysis: storedAnalysisSchema.safeParse(analysis).data ?? null,
    flags: flagsSchema.safeParse(analysis).data ?? { slow: false, short: false },
    targetUrl: row.target_url,
    finalUrl: row.final_url,
    httpStatus: row.http_status_code,
    responseMs: row.response_time_ms,
    errorMessage: row.error_message,
    scrappeyStatus: row.scrappey_status,
    scrappeyRequestId: row.scrappey_request_id,
    proxyUsed: row.proxy_used,
    alertSent: row.alert_sent === 1,
    headers: headersOf(row.response_headers),
    bodyLength: row.raw_response_length,
    body: row.raw_response_length === 0 ? '' : await findBody(db, checkId),
  };
}

/** The ids of the checks right before and after one of a watch; null at the ends. */
export async function findNeighbours(
  db: Database,
  { watchId, id, at }: { watchId: string; id: string; at: string },
): Promise<{ older: string | null; newer: string | null }> {
  const beside = (comparison: '<' | '>') =>
    db
      .selectFrom('monitor_checks')
      .select('id')
      .where('watch_id', '=', watchId)
      .where((where) => where(where.refTuple('check_timestamp', 'id'), comparison, where.tuple(at, id)))
      .orderBy('check_timestamp', comparison === '<' ? 'desc' : 'asc')
      .orderBy('id', comparison === '<' ? 'desc' : 'asc')
      .limit(1)
      .executeTakeFirst();
  const [older, newer] = await Promise.all([beside('<'), beside('>')]);
  return { older: older?.id ?? null, newer: newer?.id ?? null };
}
