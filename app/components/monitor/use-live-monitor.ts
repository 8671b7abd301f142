import { useEffect, useRef, useState } from 'react';
import { SECOND } from '#shared/clock';
import type { LiveMonitor } from './live-card';

const LIVE_PATH = '/live.json';

const MAX_WAIT_MS = 30 * SECOND;
/** The time that a check needs before its result can be read. */
const AFTER_CHECK_MS = 1.5 * SECOND;
const MIN_WAIT_MS = 3 * SECOND;
const TIMEOUT_MS = 15 * SECOND;

function waitMs(live: LiveMonitor | null): number {
  const nextCheck = live?.status.scheduler.nextCheck ?? null;
  if (live === null || nextCheck === null) return MAX_WAIT_MS;
  const afterCheck = Date.parse(nextCheck) - Date.parse(live.now) + AFTER_CHECK_MS;
  return Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, afterCheck));
}

async function fetchLive(aborted: AbortSignal): Promise<LiveMonitor> {
  const signal = AbortSignal.any([aborted, AbortSignal.timeout(TIMEOUT_MS)]);
  const response = await fetch(LIVE_PATH, { signal, headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`the live state could not be loaded: ${response.status}`);
  return (await response.json()) as LiveMonitor;
}

/**
 * Returns the newest live state. Starts with `loaded` from the page's loader; refreshes it after each check of the monitor,
 * every 30 s at the latest, while the tab is visible, and when it becomes visible again. After a failed refresh it returns
 * the last state, marked `lost`, and tries again. Not a revalidation: if that fails, the router shows the error page.
 */
export function useLiveMonitor<Loaded extends LiveMonitor | null>(loaded: Loaded): LiveMonitor | Loaded {
  const [fetched, setFetched] = useState<LiveMonitor | null>(null);
  // The time of the state whose refresh failed; a newer state is not marked.
  const [failedAfter, setFailedAfter] = useState<string | null>(null);
  const fetching = useRef(false);
  const newest = fetched !== null && (loaded === null || fetched.now > loaded.now) ? fetched : loaded;
  const now = newest?.now ?? null;
  const wait = waitMs(newest);

  useEffect(() => {
    const unmounted = new AbortController();
    const refresh = async () => {
      // On a slow connection the previous request may still be running.
      if (document.visibilityState !== 'visible' || fetching.current) return;
      fetching.current = true;
      try {
        setFetched(await fetchLive(unmounted.signal));
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
  }, [now, wait]);

  return newest === null ? newest : { ...newest, lost: now === failedAfter };
}
