import { useEffect, useRef, useState } from 'react';
import { SECOND } from '#shared/clock';
import type { LiveMonitor } from './live-card';

/** Where the live state is asked for, apart from the page around it. */
const LIVE_PATH = '/live.json';

const LONGEST_WAIT_MS = 30 * SECOND;
/** A look takes a moment; asking sooner would show the one before. */
const AFTER_LOOK_MS = 1.5 * SECOND;
/** However near the next look is. */
const SHORTEST_WAIT_MS = 3 * SECOND;
const GIVE_UP_MS = 15 * SECOND;

function waitMs(live: LiveMonitor | null): number {
  const nextLook = live?.status.scheduler.nextCheck ?? null;
  if (live === null || nextLook === null) return LONGEST_WAIT_MS;
  const afterLook = Date.parse(nextLook) - Date.parse(live.now) + AFTER_LOOK_MS;
  return Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, afterLook));
}

async function askLive(leaving: AbortSignal): Promise<LiveMonitor> {
  const signal = AbortSignal.any([leaving, AbortSignal.timeout(GIVE_UP_MS)]);
  const answer = await fetch(LIVE_PATH, { signal, headers: { Accept: 'application/json' } });
  if (!answer.ok) throw new Error(`the live state did not come: ${answer.status}`);
  return (await answer.json()) as LiveMonitor;
}

/**
 * The newest live state there is: as the page was `loaded`, then as it is asked for soon after the monitor's next look,
 * every 30 s at the latest, while somebody can see it, and at once when they come back to it. One that does not come
 * leaves the last one, marked `lost`, and is asked for again. A request of its own and no revalidation: where the data of
 * a page fail to load anew, the router puts the error page in its place.
 */
export function useLiveMonitor<Loaded extends LiveMonitor | null>(loaded: Loaded): LiveMonitor | Loaded {
  const [heard, setHeard] = useState<LiveMonitor | null>(null);
  // The time of the state after which the next one did not come, so that a newer one makes up for it by itself.
  const [lostAfter, setLostAfter] = useState<string | null>(null);
  const asking = useRef(false);
  const newest = heard !== null && (loaded === null || heard.now > loaded.now) ? heard : loaded;
  const now = newest?.now ?? null;
  const wait = waitMs(newest);

  useEffect(() => {
    const leaving = new AbortController();
    const refresh = async () => {
      // On a slow line the last one may still be under way.
      if (document.visibilityState !== 'visible' || asking.current) return;
      asking.current = true;
      try {
        setHeard(await askLive(leaving.signal));
        // Nothing may have happened since the one before.
        setLostAfter(null);
      } catch {
        if (!leaving.signal.aborted) setLostAfter(now);
      } finally {
        asking.current = false;
      }
    };
    const onRefresh = () => void refresh();
    // A new state brings a new `now` and so plans the next one; the interval goes on when none comes.
    const timer = setInterval(onRefresh, wait);
    document.addEventListener('visibilitychange', onRefresh);
    return () => {
      leaving.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onRefresh);
    };
  }, [now, wait]);

  return newest === null ? newest : { ...newest, lost: now === lostAfter };
}
