import { FREE_DELAY_MS } from '#shared/alerts/alert-timing';
import { describeDuration, SECOND } from '#shared/clock';
import type { ShownAlert } from '#shared/alerts/list-alerts';
import type { LiveMonitor } from '~/components/monitor/live-card';
import { clockAndDay } from '~/components/monitor/time-format';
import { WAITING_ROOM } from './restock-content';

/** The newest alert of a watch. */
export type LastAlert = Pick<ShownAlert, 'status' | 'openedAt' | 'closedAt'>;

/** The data of a watch's page. `live`: null if it could not be read. */
export interface WatchedRoom {
  live: LiveMonitor | null;
  /** Also null if there was no alert yet. */
  lastAlert: LastAlert | null;
}

/** The texts about a waiting room. */
export interface WaitingRoomView {
  is: 'open' | 'closed' | 'unknown';
  headline: string;
  advice: string;
}

type OpenAlert = NonNullable<LiveMonitor['status']['alert']>;

/** Returns by how many seconds the instant message preceded the free one; null until both are sent. */
function headStart({ instantNotifiedAt, freeNotifiedAt }: OpenAlert): number | null {
  if (instantNotifiedAt === null || freeNotifiedAt === null) return null;
  return Math.round((Date.parse(freeNotifiedAt) - Date.parse(instantNotifiedAt)) / SECOND);
}

/** Describes a watch's waiting room. The live state takes precedence: the last alert may have ended since it was read. */
export function describeWaitingRoom({ live, lastAlert }: WatchedRoom): WaitingRoomView {
  const { headline, advice } = WAITING_ROOM;
  if (live === null) return { is: 'unknown', headline: headline.unreadable, advice: advice.unknown };
  const { alert, scheduler, daemon, withinHours } = live.status;
  // As the live card, which says "Offline".
  if (scheduler.running && !daemon.online)
    return { is: 'unknown', headline: headline.unreadable, advice: advice.unknown };
  if (alert !== null) {
    const seconds = headStart(alert);
    const earlier = seconds === null || seconds <= 0 ? '' : ` ${headline.toldEarlier(seconds)}`;
    return { is: 'open', headline: headline.open + earlier, advice: advice.open };
  }
  const monitoring = scheduler.running && withinHours;
  if (lastAlert?.status === 'suspended' || (lastAlert?.status === 'open' && !monitoring))
    return { is: 'unknown', headline: headline.suspended, advice: advice.unknown };
  const nextTime = advice.closed(FREE_DELAY_MS / SECOND);
  if (lastAlert === null) return { is: 'closed', headline: headline.never, advice: nextTime };
  if (lastAlert.closedAt === null) return { is: 'closed', headline: headline.closed, advice: nextTime };
  const lasted = describeDuration(Date.parse(lastAlert.closedAt) - Date.parse(lastAlert.openedAt));
  const until = clockAndDay(lastAlert.closedAt, Date.parse(live.now));
  return { is: 'closed', headline: `${headline.closed} ${headline.lasted(lasted, until)}`, advice: nextTime };
}
