import { FREE_DELAY_MS } from '#shared/alerts/alert-timing';
import { describeDuration, SECOND } from '#shared/clock';
import type { ShownAlert } from '#shared/alerts/list-alerts';
import type { LiveMonitor } from '~/components/monitor/live-card';
import { clockAndDay } from '~/components/monitor/spoken-time';
import { WAITING_ROOM } from './restock-content';

/** The newest alert of a watch, as far as its page needs it. */
export type LastAlert = Pick<ShownAlert, 'status' | 'openedAt' | 'closedAt'>;

/** What the page of a watch is made of; null: it could not be read. */
export interface WatchedRoom {
  live: LiveMonitor | null;
  /** Null, too, when there has been no alert yet. */
  lastAlert: LastAlert | null;
}

/** What the page says of a waiting room. */
export interface WaitingRoomView {
  is: 'open' | 'closed' | 'unknown';
  headline: string;
  advice: string;
}

type OpenAlert = NonNullable<LiveMonitor['status']['alert']>;

/** Whole seconds by which the instant audience was told before the free one; null while not both have been. */
function headStart({ instantNotifiedAt, freeNotifiedAt }: OpenAlert): number | null {
  if (instantNotifiedAt === null || freeNotifiedAt === null) return null;
  return Math.round((Date.parse(freeNotifiedAt) - Date.parse(instantNotifiedAt)) / SECOND);
}

/**
 * A watch's waiting room in words. What the monitor says now takes precedence: the last alert was read with the page
 * and may have ended since.
 */
export function describeWaitingRoom({ live, lastAlert }: WatchedRoom): WaitingRoomView {
  const { headline, advice } = WAITING_ROOM;
  if (live === null) return { is: 'unknown', headline: headline.unreadable, advice: advice.unknown };
  const { alert, scheduler, daemon, withinHours } = live.status;
  // The live card says "Offline" then, whatever was stored last.
  if (scheduler.running && !daemon.online)
    return { is: 'unknown', headline: headline.unreadable, advice: advice.unknown };
  if (alert !== null) {
    const seconds = headStart(alert);
    const told = seconds === null || seconds <= 0 ? '' : ` ${headline.toldEarlier(seconds)}`;
    return { is: 'open', headline: headline.open + told, advice: advice.open };
  }
  const watched = scheduler.running && withinHours;
  if (lastAlert?.status === 'suspended' || (lastAlert?.status === 'open' && !watched))
    return { is: 'unknown', headline: headline.suspended, advice: advice.unknown };
  const waiting = advice.closed(FREE_DELAY_MS / SECOND);
  if (lastAlert === null) return { is: 'closed', headline: headline.never, advice: waiting };
  if (lastAlert.closedAt === null) return { is: 'closed', headline: headline.closed, advice: waiting };
  const lasted = describeDuration(Date.parse(lastAlert.closedAt) - Date.parse(lastAlert.openedAt));
  const until = clockAndDay(lastAlert.closedAt, Date.parse(live.now));
  return { is: 'closed', headline: `${headline.closed} ${headline.lasted(lasted, until)}`, advice: waiting };
}
