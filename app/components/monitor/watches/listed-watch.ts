import type { DescribedWatch } from '#shared/monitor/watches/describe-watch';
import { everyInterval, inZone } from '../../time/time-format';
import type { DisplayState } from '../monitor-view';
import { VERDICT_LABELS } from '../verdict-labels';

export interface ListedWatch extends Pick<
  DescribedWatch,
  | 'slug'
  | 'shop'
  | 'title'
  | 'url'
  | 'timeZone'
  | 'intervalSeconds'
  | 'running'
  | 'state'
  | 'lastCheck'
  | 'nextCheck'
> {
  /** "9am to 9pm" */
  hoursInWords: string;
  withinHours: boolean;
  /** When its open alert was opened; null without one. */
  alertOpenedAt: string | null;
  /** The first watch cannot be deleted. */
  permanent: boolean;
}

/** One page of the watches: those with an open alert first, then by title. */
export interface WatchListData {
  watches: ListedWatch[];
  /** The number of watches per state. */
  summary: string;
  page: number;
  totalPages: number;
  /** The server's time when it read them (ISO-8601). */
  now: string;
}

/**
 * The state of a watch as the list shows it. The first matching row decides, as on its screen:
 *   running, no daemon            offline
 *   an alert is open              waiting room
 *   stopped                       paused
 *   outside its hours             resting
 *   else                          the verdict of the last check
 */
export function listedState(watch: ListedWatch): { state: DisplayState; label: string } {
  if (watch.running && watch.nextCheck === null) return { state: 'offline', label: 'Offline' };
  if (watch.alertOpenedAt !== null) return { state: 'waiting_room', label: VERDICT_LABELS.waiting_room };
  if (!watch.running) return { state: 'paused', label: 'Stopped' };
  if (!watch.withinHours) return { state: 'resting', label: 'Resting' };
  if (watch.lastCheck === null) return { state: 'unknown', label: 'Not checked yet' };
  return { state: watch.state, label: VERDICT_LABELS[watch.state] };
}

/** "every minute, 9am to 9pm UK time" */
export function planText({ intervalSeconds, hoursInWords, timeZone }: ListedWatch): string {
  return `${everyInterval(intervalSeconds)}, ${inZone(hoursInWords, timeZone)}`;
}

/** The number of watches per state, as one sentence. */
export function summariseWatches(watches: readonly ListedWatch[]): string {
  const states = watches.map((watch) => listedState(watch).state);
  const count = (state: DisplayState) => states.filter((one) => one === state).length;
  const parts: [DisplayState, string][] = [
    ['waiting_room', 'with a waiting room'],
    ['open', 'with an open shop'],
    ['unknown', 'in an unknown state'],
    ['offline', 'without checks, because the daemon does not answer'],
    ['resting', 'outside their hours'],
    ['paused', 'stopped'],
  ];
  const named = parts.flatMap(([state, words]) => (count(state) === 0 ? [] : [`${count(state)} ${words}`]));
  return `${watches.length} watches: ${named.join(', ')}.`;
}
