import type { Selectable } from 'kysely';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DEFAULT_WATCH_ID } from '../../../brand';
import { HOUR, toIso, type Clock } from '../../../clock';
import type { Database } from '../../../database/schema';
import type { MonitorChecksTable } from '../../../database/tables/monitor/monitor-checks';
import { DomainError } from '../../../errors';
import { findBody } from '../stored-body.server';
import { readWatch } from '../../watches/watches';
import { storedAnalysisSchema, type Availability, type StoredAnalysis, type Verdict } from '../verdict';

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

/** The longest history that a query may cover: thirty days. */
export const MAX_HISTORY_HOURS = 720;
/** How many checks one page of the history holds. */
export const HISTORY_PAGE = { default: 500, max: 1_000 } as const;
/** Rows read per query; the event loop runs other work between two queries. Takes a few milliseconds. */
const STEP = 100;

export interface ChecksPage {
  checks: MonitorCheck[];
  /** The `before` of the next page; null when this is the last one. */
  next: string | null;
}

async function requireTimestamp(db: Database, watchId: string, checkId: string): Promise<string> {
  const row = await db
    .selectFrom('monitor_checks')
    .select('check_timestamp')
    .where('id', '=', checkId)
    .where('watch_id', '=', watchId)
    .executeTakeFirst();
  if (row !== undefined) return row.check_timestamp;
  const sentence = 'before is the id of a check, and there is none with this id.';
  throw new DomainError('Invalid', {
    code: 'unknown_check',
    message: sentence,
    fieldErrors: { before: [sentence] },
  });
}

/**
 * Lists the checks of a watch in the last `hours`, newest first, without the response bodies: `limit` of them,
 * starting after the check `before`. Yields to the event loop between queries. Throws `Invalid` `unknown_check` when
 * `before` is not the id of a check of this watch.
 */
export async function listChecks(
  db: Database,
  {
    hours,
    limit = HISTORY_PAGE.default,
    before,
    clock,
    watchId = DEFAULT_WATCH_ID,
  }: { hours: number; limit?: number; before?: string | undefined; clock: Clock; watchId?: string },
): Promise<ChecksPage> {
  const since = toIso(clock.now() - hours * HOUR);
  const checks: MonitorCheck[] = [];
  let last =
    before === undefined
      ? null
      : { check_timestamp: await requireTimestamp(db, watchId, before), id: before };
  while (checks.length <= limit) {
    const older = last;
    // One extra row tells whether there is a next page.
    const step = Math.min(STEP, limit + 1 - checks.length);
    let query = db
      .selectFrom('monitor_checks')
      .select(LISTED)
      .where('watch_id', '=', watchId)
      .where('check_timestamp', '>=', since);
    if (older !== null)
      query = query.where((where) =>
        where(where.refTuple('check_timestamp', 'id'), '<', where.tuple(older.check_timestamp, older.id)),
      );
    const rows = await query.orderBy('check_timestamp', 'desc').orderBy('id', 'desc').limit(step).execute();
    checks.push(...rows.map((row) => toCheck(row, null)));
    last = rows.at(-1) ?? last;
    if (rows.length < step) return { checks, next: null };
    await nextTurn();
  }
  checks.pop();
  return { checks, next: checks.at(-1)?.id ?? null };
}

/** The HTTP status of a check; null without an answer, or without such a check. */
export async function findHttpStatus(db: Database, id: string): Promise<number | null> {
  const check = await db
    .selectFrom('monitor_checks')
    .select('http_status_code')
    .where('id', '=', id)
    .executeTakeFirst();
  return check?.http_status_code ?? null;
}

/** One check with its response body, or null. */
export async function findCheck(db: Database, id: string): Promise<MonitorCheck | null> {
  const row = await db
    .selectFrom('monitor_checks')
    .select([...LISTED, 'raw_response_length'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { raw_response_length, ...listed } = row;
  return toCheck(listed, raw_response_length === 0 ? '' : await findBody(db, id));
}

/** The last check of a watch with its response body, for debugging the verdict. */
export interface LatestDebug {
  timestamp: string;
  queueDetected: boolean;
  /** Milliseconds. */
  responseTime: number;
  /** In characters, of the whole response. `rawResponse` may be shorter, or null after a week. */
  rawResponseLength: number;
  errorMessage: string | null;
  rawResponse: string | null;
}

/** The last check of the default watch with its response body; null before the first check. */
export async function findLatestDebug(
  db: Database,
  watchId: string = DEFAULT_WATCH_ID,
): Promise<LatestDebug | null> {
  const { last_check_id } = await readWatch(db, watchId);
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

const VERDICT_DESCRIPTIONS: Record<Verdict, string> = {
  open: 'The shop is open',
  waiting_room: 'The waiting room is open',
  unknown: 'Unknown',
};

const AVAILABILITY_DESCRIPTIONS: Record<Availability, string> = {
  in_stock: 'In stock',
  limited: 'Low stock',
  preorder: 'Pre-order',
  out_of_stock: 'Out of stock',
  unknown: 'Unknown',
};

function describeJudgement({ verdict, reason, product, held }: StoredAnalysis): string {
  if (product === undefined) return `${VERDICT_DESCRIPTIONS[verdict]}: ${reason}`;
  const why = held === undefined ? product.reason : `${product.reason} ${held}`;
  return `${AVAILABILITY_DESCRIPTIONS[product.availability]}: ${why}`;
}

/** A finished check in one sentence for a person, with its reason. */
export function describeCheck(
  check: Pick<MonitorCheck, 'content_analysis' | 'http_status_code' | 'response_time_ms'>,
): string {
  const judged = storedAnalysisSchema.safeParse(check.content_analysis);
  const words = judged.success
    ? describeJudgement(judged.data)
    : 'The check was stored without a readable judgement.';
  const status = check.http_status_code === null ? 'no response' : `HTTP ${check.http_status_code}`;
  return `${words} (${status}, ${check.response_time_ms} ms)`;
}
