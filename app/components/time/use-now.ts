import { useEffect, useState } from 'react';

const TICK_MS = 1_000;

/** Returns the server's current time in epoch ms: `serverNow` plus the time since then, independent of the device's clock. */
export function useNow(serverNow: string): number {
  const [now, setNow] = useState(() => Date.parse(serverNow));
  useEffect(() => {
    const origin = Date.parse(serverNow) - performance.now();
    const timer = setInterval(() => setNow(origin + performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [serverNow]);
  return now;
}
