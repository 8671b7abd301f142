import { DEFAULT_WATCH_ID } from '../../brand';
import { DAY, fromIso, SECOND, toIso, type Clock } from '../../clock';
import type { Database } from '../../database/schema';
import { readVerdicts } from '../checks/reading/read-verdicts';
import { readWatch } from '../watches/watches';
import type { ChartAlert, DayChart } from './day-chart';
import { chartSpan, reduceChecks, type ChartCheck } from './reduce-checks';

/** More marks would cover each other. */
const MAX_ALERTS = 30;
/** Alerts are kept forever; older ones are not searched for one that lasted until the chart. */
const LONGEST_ALERT_MS = 7 * DAY;

async function listAlertsOf(
  db: Database,
  { watchId, fromMs, toMs }: { watchId: string; fromMs: number; toMs: number },
): Promise<ChartAlert[]> {
  const rows = await db
    .selectFrom('alerts')
    .select(['id', 'opened_at', 'closed_at', 'suspended_at', 'status', 'opening_check_id'])
    .where('watch_id', '=', watchId)
    .where('opened_at', '>=', toIso(fromMs - LONGEST_ALERT_MS))
    .where('opened_at', '<', toIso(toMs))
    .where((where) =>
      where.or([
        where('status', '=', 'open'),
        where('closed_at', '>=', toIso(fromMs)),
        where('suspended_at', '>=', toIso(fromMs)),
      ]),
    )
    .orderBy('opened_at', 'desc')
    .limit(MAX_ALERTS)
    .execute();
  return rows.reverse().map((row) => ({
    id: row.id,
    openedAt: row.opened_at,
    endedAt: row.closed_at ?? (row.status === 'suspended' ? row.suspended_at : null),
    status: row.status,
    openingCheckId: row.opening_check_id,
  }));
}

/**
 * Reads the drawing of a watch's last 24 hours. Its size does not depend on the number of checks: at most 120 exact
 * bands (else one per five minutes), the response times per five minutes, and 30 alerts.
 */
export async function readDayChart(
  db: Database,
  { clock, watchId = DEFAULT_WATCH_ID }: { clock: Clock; watchId?: string },
): Promise<DayChart> {
  const { interval_seconds } = await readWatch(db, watchId);
  const span = chartSpan(clock.now(), interval_seconds * SECOND);
  const checks: ChartCheck[] = [];
  for await (const row of readVerdicts(db, watchId, toIso(span.fromMs - span.gapMs)))
    checks.push({
      at: fromIso(row.check_timestamp),
      verdict: row.verdict,
      responseMs: row.response_time_ms,
    });
  const alerts = await listAlertsOf(db, { watchId, ...span });
  return { ...span, ...reduceChecks(checks, span), alerts };
}
