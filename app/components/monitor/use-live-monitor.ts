import { SECOND } from '#shared/clock';
import type { LiveMonitor } from './live-card';
import { useRefreshed } from './use-refreshed';

const LIVE_PATH = '/live.json';

const MAX_WAIT_MS = 30 * SECOND;
/** The time that a check needs before its result can be read. */
const AFTER_CHECK_MS = 1.5 * SECOND;
const MIN_WAIT_MS = 3 * SECOND;

/** What decides when the state of a monitor is read again. */
interface Live {
  status: { scheduler: { nextCheck: string | null } };
  now: string;
}

/** The milliseconds until the state of a monitor is read again: after its next check, 30 s at the latest. */
export function nextRefreshMs(live: Live | null): number {
  const nextCheck = live?.status.scheduler.nextCheck ?? null;
  if (live === null || nextCheck === null) return MAX_WAIT_MS;
  const afterCheck = Date.parse(nextCheck) - Date.parse(live.now) + AFTER_CHECK_MS;
  return Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, afterCheck));
}

/** Returns the newest state of the live card of the default watch, see `useRefreshed`. */
export function useLiveMonitor<Loaded extends LiveMonitor | null>(loaded: Loaded): LiveMonitor | Loaded {
  return useRefreshed<LiveMonitor>(LIVE_PATH, loaded, nextRefreshMs) ?? loaded;
}
