import { FREE_DELAY_MS } from '#shared/alerts/alert-timing';
import type { NotifiedTimes } from '#shared/alerts/head-start';
import type { AlertView } from '#shared/alerts/list-alerts';
import { describeDuration, SECOND } from '#shared/clock';
import type { LiveMonitor } from '~/components/monitor/live-card';
import { clockAndDay } from '~/components/time/time-format';
import { describeHeadStart, type FreeMessage, type HeadStartView } from './head-start';
import { WAITING_ROOM } from './restock-content';

/** The newest alert of a watch. */
export type LastAlert = Pick<AlertView, 'status' | 'openedAt' | 'closedAt' | 'lastSeenAt' | 'closeReason'> & {
  notified: NotifiedTimes;
  /** Null: it was sent or failed, or there is none. */
  free: FreeMessage | null;
};

/** The data of a watch's page, all from one read. `live`: null if it could not be read. */
export interface WatchedRoom {
  live: LiveMonitor | null;
  /** Also null if there was no alert yet. */
  lastAlert: LastAlert | null;
  /** When it was read (the server's time, ISO-8601). */
  now: string;
}

/** The texts about a waiting room. */
export interface WaitingRoomView {
  kind: 'open' | 'closed' | 'unknown';
  headline: string;
  advice: string;
  headStart: HeadStartView | null;
}

/** The waiting room of an alert that is not open. */
function describeClosed(lastAlert: LastAlert | null, nowMs: number): Omit<WaitingRoomView, 'headStart'> {
  const { headline, advice } = WAITING_ROOM;
  const nextTime = advice.closed(FREE_DELAY_MS / SECOND);
  if (lastAlert === null) return { kind: 'closed', headline: headline.never, advice: nextTime };
  const { openedAt, closedAt, closeReason, lastSeenAt } = lastAlert;
  if (closeReason !== null)
    return {
      kind: 'unknown',
      headline: headline.unseenEnd(clockAndDay(lastSeenAt, nowMs)),
      advice: advice.unknown,
    };
  if (closedAt === null) return { kind: 'closed', headline: headline.closed, advice: nextTime };
  const lasted = describeDuration(Date.parse(closedAt) - Date.parse(openedAt));
  const until = clockAndDay(closedAt, nowMs);
  return {
    kind: 'closed',
    headline: `${headline.closed} ${headline.lasted(lasted, until)}`,
    advice: nextTime,
  };
}

/** Describes a watch's waiting room. The live state takes precedence: the last alert may have ended since it was read. */
export function describeWaitingRoom({ live, lastAlert }: Omit<WatchedRoom, 'now'>): WaitingRoomView {
  const { headline, advice } = WAITING_ROOM;
  const unreadable = {
    kind: 'unknown' as const,
    headline: headline.unreadable,
    advice: advice.unknown,
    headStart: null,
  };
  if (live === null) return unreadable;
  const { alert, scheduler, daemon, withinHours } = live.status;
  const nowMs = Date.parse(live.now);
  // Same as the live card, which says "Offline".
  if (scheduler.running && !daemon.online) return unreadable;
  if (alert !== null) {
    const times = { instantAt: alert.instantNotifiedAt, freeAt: alert.freeNotifiedAt };
    return {
      kind: 'open',
      headline: headline.open(clockAndDay(alert.openedAt, nowMs)),
      advice: advice.open,
      headStart: describeHeadStart(times, lastAlert?.free ?? null),
    };
  }
  // An alert that has ended since it was read may have sent its free message in the meantime.
  const free = lastAlert?.status === 'closed' ? lastAlert.free : null;
  const headStart = lastAlert === null ? null : describeHeadStart(lastAlert.notified, free);
  const monitoring = scheduler.running && withinHours;
  if (lastAlert?.status === 'suspended' || (lastAlert?.status === 'open' && !monitoring))
    return { kind: 'unknown', headline: headline.suspended, advice: advice.unknown, headStart };
  if (live.status.lastCheck === null && lastAlert === null)
    return { kind: 'unknown', headline: headline.unchecked, advice: advice.unknown, headStart };
  return { ...describeClosed(lastAlert, nowMs), headStart };
}
