import { useEffect, useRef, useState } from 'react';
import { MINUTE, SECOND } from '#shared/clock';
import type { LiveMonitor } from './live-card';

const TIMEOUT_MS = 15 * SECOND;

/** A loader's data, with the time of reading (the server's, ISO-8601). */
interface Timed {
  now: string;
}

async function fetchJson<Loaded>(address: string, aborted: AbortSignal): Promise<Loaded> {
  const signal = AbortSignal.any([aborted, AbortSignal.timeout(TIMEOUT_MS)]);
  const response = await fetch(address, { signal, headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`${address} could not be loaded: ${response.status}`);
  return (await response.json()) as Loaded;
}

/**
 * Returns the newest state: `loaded` by the page, or fetched from `address`. Refreshes it every `waitMs(newest)`
 * milliseconds while the tab is visible, and when it becomes visible again. After a failed refresh it returns the last
 * state, marked `lost`, and tries again. Not a revalidation: if that fails, the router shows the error page.
 */
export function useRefreshed<Loaded extends Timed>(
  address: string,
  loaded: Loaded | null,
  waitMs: (newest: Loaded | null) => number,
): (Loaded & { lost: boolean }) | null {
  const [fetched, setFetched] = useState<{ address: string; state: Loaded } | null>(null);
  // The time of the state whose refresh failed; a newer state is not marked.
  const [failedAfter, setFailedAfter] = useState<string | null>(null);
  const fetching = useRef(false);
  const current = fetched?.address === address ? fetched.state : null;
  const newest = current !== null && (loaded === null || current.now > loaded.now) ? current : loaded;
  const now = newest?.now ?? null;
  const wait = waitMs(newest);

  useEffect(() => {
    const unmounted = new AbortController();
    const refresh = async () => {
      // On a slow connection the previous request may still be running.
      if (document.visibilityState !== 'visible' || fetching.current) return;
      fetching.current = true;
      try {
        const state = await fetchJson<Loaded>(address, unmounted.signal);
        setFetched({ address, state });
        // The state may be unchanged, with the same time.
        setFailedAfter(null);
      } catch {
        if (!unmounted.signal.aborted) setFailedAfter(now);
      } finally {
        fetching.current = false;
      }
    };
    const onRefresh = () => void refresh();
    // A new state restarts the interval through its new `now`; without one, the interval repeats.
    const timer = setInterval(onRefresh, wait);
    document.addEventListener('visibilitychange', onRefresh);
    return () => {
      unmounted.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onRefresh);
    };
  }, [address, now, wait]);

  return newest === null ? null : { ...newest, lost: now !== null && now === failedAfter };
}

const LIVE_PATH = '/live.json';

const MAX_WAIT_MS = 30 * SECOND;
/** The time that a check needs before its result can be read. */
const AFTER_CHECK_MS = 1.5 * SECOND;
const MIN_WAIT_MS = 3 * SECOND;

/** The facts that decide when the state of a monitor is read again. */
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

const HISTORY_WAIT_MS = MINUTE;

/**
 * The milliseconds until the history of a watch is read again: a minute, or at once when a check has ended since. `lastCheck`:
 * when the last one ended (the server's time, ISO-8601).
 */
export function historyRefreshMs(history: Timed | null, lastCheck: string | null): number {
  return history !== null && lastCheck !== null && lastCheck > history.now ? SECOND : HISTORY_WAIT_MS;
}

/** Returns the newest state of the live card of the default watch, see `useRefreshed`. */
export function useLiveMonitor<Loaded extends LiveMonitor | null>(loaded: Loaded): LiveMonitor | Loaded {
  return useRefreshed<LiveMonitor>(LIVE_PATH, loaded, nextRefreshMs) ?? loaded;
}
