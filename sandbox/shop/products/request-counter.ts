const SECOND_MS = 1_000;
const SECONDS_KEPT = 3_600;

/** How often a host was asked, for tests of politeness. */
export interface RequestRates {
  requests: number;
  /** The most requests in one second, in a minute of sixty such seconds, and at the same time. */
  busiestSecond: number;
  busiestMinute: number;
  mostAtOnce: number;
  /** The shortest time between the arrivals of two requests, in milliseconds; null with fewer than two. */
  shortestGapMs: number | null;
}

/** Counts the requests of one host, for the last hour. */
export function createRequestCounter() {
  let perSecond = new Map<number, number>();
  let requests = 0;
  let open = 0;
  let mostAtOnce = 0;
  let lastAt: number | null = null;
  let shortestGapMs: number | null = null;

  return {
    /** @param atMs epoch milliseconds */
    begin(atMs: number): void {
      const second = Math.floor(atMs / SECOND_MS);
      perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
      for (const old of perSecond.keys()) {
        if (old > second - SECONDS_KEPT) break;
        perSecond.delete(old);
      }
      if (lastAt !== null) shortestGapMs = Math.min(shortestGapMs ?? Infinity, atMs - lastAt);
      lastAt = atMs;
      requests += 1;
      open += 1;
      mostAtOnce = Math.max(mostAtOnce, open);
    },
    end(): void {
      open -= 1;
    },
    reset(): void {
      perSecond = new Map();
      requests = mostAtOnce = 0;
      lastAt = shortestGapMs = null;
    },
    rates(): RequestRates {
      const seconds = [...perSecond];
      const inMinuteFrom = (start: number) =>
        seconds.reduce(
          (sum, [second, count]) => sum + (second >= start && second < start + 60 ? count : 0),
          0,
        );
      return {
        requests,
        busiestSecond: Math.max(0, ...seconds.map(([, count]) => count)),
        busiestMinute: Math.max(0, ...seconds.map(([second]) => inMinuteFrom(second))),
        mostAtOnce,
        shortestGapMs,
      };
    },
  };
}
