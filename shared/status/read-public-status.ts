import { fromIso, isPast, MINUTE, SECOND, toIso } from '../clock';
import type { Database } from '../database/schema';
import type { Verdict } from '../monitor/checks/verdict';
import {
  hiddenAlertsOf,
  NO_MASKS,
  type HeadStartMask,
  type HeadStartMasks,
} from '../monitor/head-start-masks';
import { readDaemonStatus } from '../monitor/heartbeat';
import { settingsOf } from '../monitor/monitor-settings';
import { isWithinHours } from '../monitor/monitoring-hours';
import { nextCheckOf } from '../monitor/next-check';
import type { Watch } from '../monitor/watches/watches';
import type { WatchHealth } from './check-health.server';
import { listPastAlerts, type PastAlert } from './past-alerts';

/** now: checked; resting: outside its hours; paused: stopped by an admin; offline: no daemon runs. */
export type Watching = 'now' | 'resting' | 'paused' | 'offline';

/** A watch of the public status (api.md). */
export interface PublicWatch {
  slug: string;
  shop: string;
  title: string;
  state: Verdict;
  /** Waiting room: when it opened. Open: when the last one closed. Unknown: the last conclusive check. Null: not known. */
  since: string | null;
  lastCheck: string | null;
  watching: Watching;
  /** While it is resting: when the checks start again. */
  resumesAt: string | null;
  checks: WatchHealth;
}

/** The answer of /status.json (api.md). */
export interface PublicStatus {
  watches: PublicWatch[];
  /** The newest of all watches, newest first. */
  alerts: PastAlert[];
  /** When it was read (ISO-8601). */
  now: string;
}

/** How many alerts the public status lists. */
const LISTED_ALERTS = 50;

/** A verdict is the state now for this long, or for three intervals. */
const VERDICT_LASTS_MS = 5 * MINUTE;

const NO_CHECKS: WatchHealth = {
  day: { total: 0, conclusive: 0 },
  ninetyDays: { total: 0, conclusive: 0 },
};

type NewestAlert = Partial<Record<'status' | 'opened_at' | 'closed_at' | 'close_reason', string | null>>;

function isRecent({ last_checked_at, interval_seconds }: Watch, now: number): boolean {
  if (last_checked_at === null || !isPast(fromIso(last_checked_at), now)) return false;
  return now - fromIso(last_checked_at) <= Math.max(VERDICT_LASTS_MS, 3 * interval_seconds * SECOND);
}

function describeWatch(
  watch: Watch,
  newest: NewestAlert,
  { daemonOnline, now, mask }: { daemonOnline: boolean; now: number; mask: HeadStartMask | undefined },
): Omit<PublicWatch, 'checks'> {
  const settings = settingsOf(watch);
  const running = watch.running === 1;
  const within = isWithinHours(now, settings.hours, settings.timeZone);
  let watching: Watching = 'paused';
  if (running) watching = !daemonOnline ? 'offline' : within ? 'now' : 'resting';
  const facts = {
    slug: watch.slug,
    shop: watch.shop,
    title: watch.title,
    lastCheck: watch.last_checked_at,
    watching,
    resumesAt: watching === 'resting' ? nextCheckOf(watch, settings, { daemonOnline, now }) : null,
  };
  const unknown = {
    ...facts,
    state: 'unknown' as const,
    since: mask === undefined ? watch.last_conclusive_at : mask.conclusiveAt,
  };
  if (watching === 'offline') return unknown;
  if (newest.status === 'open')
    return { ...facts, state: 'waiting_room', since: newest.opened_at ?? watch.last_conclusive_at };
  // A waiting room without an alert is a weak sign that the next check has to confirm.
  const verdict = mask === undefined ? watch.last_verdict : mask.verdict;
  if (verdict !== 'open' || !isRecent(watch, now)) return unknown;
  const sawItClose = newest.status === 'closed' && newest.close_reason === null;
  return { ...facts, state: 'open', since: sawItClose ? (newest.closed_at ?? null) : null };
}

/**
 * Reads the public state of every waiting-room watch at `now` (epoch ms), without what `masks` hide from the audience.
 * `health` may be older; a watch without an entry has no checks.
 */
export async function readPublicStatus(
  db: Database,
  {
    now,
    health,
    masks = NO_MASKS,
  }: { now: number; health: ReadonlyMap<string, WatchHealth>; masks?: HeadStartMasks },
): Promise<PublicStatus> {
  const hidden = hiddenAlertsOf(masks);
  const daemon = await readDaemonStatus(db, now);
  const watches = await db
    .selectFrom('watches')
    .leftJoin('alerts', (join) =>
      join.on((on) =>
        on(
          'alerts.id',
          '=',
          on
            .selectFrom('alerts as newest')
            .select('newest.id')
            .whereRef('newest.watch_id', '=', 'watches.id')
            .$if(hidden.length > 0, (query) => query.where('newest.id', 'not in', hidden))
            .orderBy('newest.opened_at', 'desc')
            .limit(1),
        ),
      ),
    )
    .selectAll('watches')
    .select(['alerts.status', 'alerts.opened_at', 'alerts.closed_at', 'alerts.close_reason'])
    .where('watches.deleted_at', 'is', null)
    .where('watches.kind', '=', 'waiting_room')
    .orderBy('watches.slug')
    .execute();
  return {
    watches: watches.map((watch) => ({
      ...describeWatch(watch, watch, { daemonOnline: daemon.online, now, mask: masks.get(watch.id) }),
      checks: health.get(watch.id) ?? NO_CHECKS,
    })),
    alerts: await listPastAlerts(db, { limit: LISTED_ALERTS, hidden }),
    now: toIso(now),
  };
}
