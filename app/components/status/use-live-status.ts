import { useEffect, useRef, useState } from 'react';
import { SECOND } from '#shared/clock';
import type { PublicStatus } from '#shared/status/read-public-status';

const STATUS_PATH = '/status.json';
const EVERY_MS = 30 * SECOND;
const TIMEOUT_MS = 15 * SECOND;

async function fetchStatus(aborted: AbortSignal): Promise<PublicStatus> {
  const signal = AbortSignal.any([aborted, AbortSignal.timeout(TIMEOUT_MS)]);
  const response = await fetch(STATUS_PATH, { signal, headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`the status could not be loaded: ${response.status}`);
  return (await response.json()) as PublicStatus;
}

interface LiveStatus {
  status: PublicStatus;
  /** The server's time (epoch ms) when the status was read. */
  nowMs: number;
  /** The last refresh failed: the status may be out of date. */
  lost: boolean;
}

/**
 * Returns the newest status: starts with `loaded` from the page's loader (`loadedAt`: ISO-8601) and refreshes it every 30 s while the tab is
 * visible, and when it becomes visible again. Not a
 * revalidation: if that fails, the router shows the error page.
 */
export function useLiveStatus(loaded: PublicStatus, loadedAt: string): LiveStatus {
  const [newest, setNewest] = useState<{ of: string; status: PublicStatus; nowMs: number } | null>(null);
  const [lost, setLost] = useState(false);
  const fetching = useRef(false);

  useEffect(() => {
    const unmounted = new AbortController();
    // Independent of the device's clock.
    const origin = Date.parse(loadedAt) - performance.now();
    const refresh = async () => {
      // On a slow connection the previous request may still be running.
      if (document.visibilityState !== 'visible' || fetching.current) return;
      fetching.current = true;
      try {
        const status = await fetchStatus(unmounted.signal);
        setNewest({ of: loadedAt, status, nowMs: origin + performance.now() });
        setLost(false);
      } catch {
        if (!unmounted.signal.aborted) setLost(true);
      } finally {
        fetching.current = false;
      }
    };
    const onRefresh = () => void refresh();
    const timer = setInterval(onRefresh, EVERY_MS);
    document.addEventListener('visibilitychange', onRefresh);
    return () => {
      unmounted.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onRefresh);
    };
  }, [loadedAt]);

  // Newly loaded data replace what was refreshed before.
  return newest?.of === loadedAt
    ? { status: newest.status, nowMs: newest.nowMs, lost }
    : { status: loaded, nowMs: Date.parse(loadedAt), lost };
}
