import { DEFAULT_WATCH_ID } from '../brand';
import { fromIso, HOUR, SECOND, toIso, type Clock } from '../clock';
import type { Database } from '../database/schema';
import type { HeadStartMask } from './head-start-masks';
import { readDaemonStatus, type DaemonStatus } from './heartbeat';
import { readMonitorSettings, settingsOf } from './monitor-settings';
import { isWithinHours, nextWindowStart } from './monitoring-hours';
import { nextCheckOf } from './next-check';
import { readVerdicts } from './checks/reading/read-verdicts';
import type { Verdict } from './checks/verdict';
import { isSilent } from './watchdog';
import { readWatch } from './watches/watches';

export interface MonitorStatus {
  /** Whether an alert is open. */
  queueActive: boolean;
  lastCheck: string | null;
  lastResponseMs: number | null;
  /** Why the last check reached its verdict, in one sentence. */
  lastReason: string | null;
  withinHours: boolean;
  /** The last check's verdict; `unknown` before the first. */
  state: Verdict;
  scheduler: { running: boolean; intervalSeconds: number; nextCheck: string | null };
  daemon: DaemonStatus;
  /** `hours` such as "9-21"; `nextOpening`, when checks start again, only outside them. */
  window: { hours: string; nextOpening: string | null };
  alert: {
    openedAt: string;
    lastSeenAt: string;
    instantNotifiedAt: string | null;
    freeNotifiedAt: string | null;
  } | null;
  /** No conclusive verdict for `silenceLimitMs` or more. */
  silent: boolean;
}

/** Reads the status of a watch that pages and the API show. `mask`: what the audience must not see yet. */
export async function readMonitorStatus(
  db: Database,
  clock: Clock,
  watchId: string = DEFAULT_WATCH_ID,
  mask?: HeadStartMask,
): Promise<MonitorStatus> {
  const hidden = mask?.hiddenAlerts ?? [];
  const now = clock.now();
  const state = await readWatch(db, watchId);
  const settings = await readMonitorSettings(db, state);
  const { hours, timeZone } = settings;
  const { onlineSince, ...daemon } = await readDaemonStatus(db, now);
  const alert = await db
    .selectFrom('alerts')
    .select(['id', 'opened_at', 'last_seen_at'])
    .where('status', '=', 'open')
    .where('watch_id', '=', watchId)
    .$if(hidden.length > 0, (query) => query.where('id', 'not in', hidden))
    .orderBy('opened_at', 'desc')
    .executeTakeFirst();
  const notified =
    alert === undefined
      ? []
      : await db
          .selectFrom('alert_deliveries')
          .select(['audience', 'sent_at'])
          .where('alert_id', '=', alert.id)
          .where('sent_at', 'is not', null)
          .execute();
  const last =
    state.last_check_id === null
      ? undefined
      : await db
          .selectFrom('monitor_checks')
          .select(['response_time_ms', 'reason'])
          .where('id', '=', state.last_check_id)
          .executeTakeFirst();

  const running = state.running === 1;
  const withinHours = isWithinHours(now, hours, timeZone);
  const notifiedAt = (audience: 'instant' | 'free'): string | null =>
    notified.find((row) => row.audience === audience)?.sent_at ?? null;
  const nextCheck = nextCheckOf(state, settings, { daemonOnline: daemon.online, now });
  return {
    queueActive: alert !== undefined,
    lastCheck: state.last_checked_at,
    lastResponseMs: last?.response_time_ms ?? null,
    lastReason: (mask === undefined ? last?.reason : mask.reason) ?? null,
    withinHours,
    state: (mask === undefined ? state.last_verdict : mask.verdict) ?? 'unknown',
    scheduler: { running, intervalSeconds: settings.intervalSeconds, nextCheck },
    daemon,
    window: {
      hours: `${hours.from}-${hours.to}`,
      nextOpening: withinHours ? null : (nextCheck ?? toIso(nextWindowStart(now, hours, timeZone))),
    },
    alert:
      alert === undefined
        ? null
        : {
            openedAt: alert.opened_at,
            lastSeenAt: alert.last_seen_at,
            instantNotifiedAt: notifiedAt('instant'),
            freeNotifiedAt: notifiedAt('free'),
          },
    silent: isSilent(state, settings, onlineSince, now),
  };
}

/** Consecutive checks with the same verdict. */
export interface CheckBand {
  from: string;
  to: string;
  verdict: Verdict;
  /** Mean response time of its checks. */
  responseMs: number;
}

/** The current verdict of a watch, and the time of the first check that agrees with it. */
export type VerdictSpan = Pick<CheckBand, 'verdict' | 'from'>;

/** Finds since when the checks of a watch agree with its last one, within the last `hours`; null without a check. */
export async function findVerdictSpan(
  db: Database,
  { hours, clock, watchId }: { hours: number; clock: Clock; watchId: string },
): Promise<VerdictSpan | null> {
  const checks = db
    .selectFrom('monitor_checks')
    .select(['check_timestamp', 'verdict'])
    .where('watch_id', '=', watchId)
    .where('check_timestamp', '>=', toIso(clock.now() - hours * HOUR));
  const last = await checks.orderBy('check_timestamp', 'desc').limit(1).executeTakeFirst();
  if (last === undefined) return null;
  const { verdict } = last;
  const other = await checks
    .where('verdict', '<>', verdict)
    .orderBy('check_timestamp', 'desc')
    .limit(1)
    .executeTakeFirst();
  const first = await checks
    .where('check_timestamp', '>', other?.check_timestamp ?? '')
    .orderBy('check_timestamp')
    .limit(1)
    .executeTakeFirst();
  return { verdict, from: first?.check_timestamp ?? last.check_timestamp };
}

/**
 * Groups the checks of the last hours into bands of equal verdicts, oldest first. A gap of more than three intervals
 * ends a band. A check that `hideAfter` hides has the verdict of the band before it.
 */
export async function listCheckBands(
  db: Database,
  {
    hours,
    clock,
    watchId = DEFAULT_WATCH_ID,
    hideAfter = null,
  }: { hours: number; clock: Clock; watchId?: string; hideAfter?: string | null },
): Promise<CheckBand[]> {
  const { intervalSeconds } = settingsOf(await readWatch(db, watchId));
  const bands: (CheckBand & { checks: number })[] = [];
  for await (const row of readVerdicts(db, watchId, toIso(clock.now() - hours * HOUR))) {
    const band = bands.at(-1);
    const near =
      band !== undefined && fromIso(row.check_timestamp) - fromIso(band.to) <= 3 * intervalSeconds * SECOND;
    const isHidden = row.verdict === 'waiting_room' && hideAfter !== null && row.check_timestamp > hideAfter;
    const verdict = isHidden ? (band?.verdict ?? 'unknown') : row.verdict;
    if (band !== undefined && near && band.verdict === verdict) {
      band.responseMs = (band.responseMs * band.checks + row.response_time_ms) / (band.checks + 1);
      band.checks += 1;
      band.to = row.check_timestamp;
    } else {
      bands.push({
        from: row.check_timestamp,
        to: row.check_timestamp,
        verdict,
        responseMs: row.response_time_ms,
        checks: 1,
      });
    }
  }
  return bands.map(({ from, to, verdict, responseMs }) => ({
    from,
    to,
    verdict,
    responseMs: Math.round(responseMs),
  }));
}
