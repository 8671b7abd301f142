import { useEffect, useState } from 'react';

const TICK_MS = 1_000;

/**
 * The server's clock in the browser, in epoch ms: starts at the instant the server named and runs on from
 * there, so a wrong clock on the visitor's device does not bend countdowns. Stands still without scripts.
 */
export function useNow(serverNow: string): number {
  const [now, setNow] = useState(() => Date.parse(serverNow));
  useEffect(() => {
    const origin = Date.parse(serverNow) - performance.now();
    const timer = setInterval(() => setNow(origin + performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [serverNow]);
  return now;
}
