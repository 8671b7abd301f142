import { useRevalidator } from '@remix-run/react';
import { useEffect, useRef } from 'react';

const LONGEST_WAIT_MS = 30_000;
/** A look takes a moment; asking sooner would show the one before. */
const AFTER_LOOK_MS = 1_500;
/** However near the next look is. */
const SHORTEST_WAIT_MS = 3_000;

function waitMs(nextLook: string | null, serverNow: string): number {
  if (nextLook === null) return LONGEST_WAIT_MS;
  const afterLook = Date.parse(nextLook) - Date.parse(serverNow) + AFTER_LOOK_MS;
  return Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, afterLook));
}

/**
 * Loads the page's data again soon after the monitor's next look, every 30 s at the latest, while somebody can see
 * it, and at once when they come back to it. Both times are the server's, as ISO text.
 */
export function useLiveRefresh(nextLook: string | null, serverNow: string): void {
  const { revalidate, state } = useRevalidator();
  const loading = useRef(false);
  useEffect(() => {
    loading.current = state !== 'idle';
  }, [state]);
  useEffect(() => {
    const refresh = () => {
      // On a slow line the last one may still be under way: to begin anew would abort it.
      if (document.visibilityState !== 'visible' || loading.current) return;
      loading.current = true;
      revalidate();
    };
    // New data brings a new `serverNow` and so plans the next one; the interval goes on when the data fails to come.
    const timer = setInterval(refresh, waitMs(nextLook, serverNow));
    document.addEventListener('visibilitychange', refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [revalidate, nextLook, serverNow]);
}
