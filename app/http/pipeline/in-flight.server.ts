import type { EventEmitter } from 'node:events';

/** Counts the responses that have not ended. */
export interface InFlight {
  /** Counts a response until its `close`. */
  track(response: Pick<EventEmitter, 'once'>): void;
  count(): number;
  /** Resolves true when no request is in flight, false when `limitMs` passed first. */
  drained(limitMs: number): Promise<boolean>;
}

export function createInFlight(): InFlight {
  let count = 0;
  const waiting = new Set<() => void>();
  return {
    track(response) {
      count += 1;
      response.once('close', () => {
        count -= 1;
        if (count > 0) return;
        for (const wake of waiting) wake();
      });
    },
    count: () => count,
    drained(limitMs) {
      if (count === 0) return Promise.resolve(true);
      return new Promise((resolve) => {
        const finish = (emptied: boolean) => {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve(emptied);
        };
        const wake = () => finish(true);
        const timer = setTimeout(() => finish(false), limitMs);
        waiting.add(wake);
      });
    },
  };
}
