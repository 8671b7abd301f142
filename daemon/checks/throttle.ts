import { setTimeout as sleep } from 'node:timers/promises';

export interface Throttle {
  /** Resolves at once, or when the interval since the previous call's turn has passed. Rejects when `signal` aborts. */
  next(signal: AbortSignal): Promise<void>;
}

/** Spaces the starts of work: calls take turns, `everyMs` apart. */
export function createThrottle(everyMs: number): Throttle {
  let nextTurn = 0;
  return {
    async next(signal) {
      const now = performance.now();
      const turn = Math.max(now, nextTurn);
      nextTurn = turn + everyMs;
      if (turn > now) await sleep(turn - now, undefined, { signal });
    },
  };
}
