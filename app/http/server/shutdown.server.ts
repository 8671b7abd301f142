import { SECOND } from '#shared/clock';
import type { Logger } from '#shared/logger.server';

/** How long requests in flight may take to end once we were told to stop. */
export const DRAIN_LIMIT_MS = 10 * SECOND;

/** Counts what is in flight and tells when nothing is. */
export interface InFlight {
  begin(): void;
  end(): void;
  count(): number;
  /** Resolves true when nothing is in flight, false when `limitMs` passed first. */
  drained(limitMs: number): Promise<boolean>;
}

export function createInFlight(): InFlight {
  let count = 0;
  const waiting = new Set<() => void>();
  return {
    begin() {
      count += 1;
    },
    end() {
      count -= 1;
      if (count > 0) return;
      for (const wake of waiting) wake();
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

/** Ctrl-C reaches this process and whoever started it, who then passes it on: that is still the first word. */
const SAME_WORD_MS = SECOND / 2;

export interface StopParts {
  log: Logger;
  inFlight: InFlight;
  /** Closes the connections of the process. */
  close(): Promise<void>;
  exit(code: number): void;
  /** Monotonic milliseconds. */
  elapsedMs(): number;
  limitMs?: number;
}

/**
 * The order of stopping: what is in flight ends (at most `limitMs`), connections close, the process exits
 * with 0. A second call, half a second later or more, exits at once. That no new connection is accepted is remix-serve's part.
 */
export function createStop({ log, inFlight, close, exit, elapsedMs, limitMs = DRAIN_LIMIT_MS }: StopParts) {
  let stoppingSince: number | null = null;
  return async function stop(reason: string): Promise<void> {
    if (stoppingSince !== null) {
      if (elapsedMs() - stoppingSince < SAME_WORD_MS) return;
      log.warn({ reason }, 'stopping at once');
      exit(1);
      return;
    }
    stoppingSince = elapsedMs();
    log.info({ reason, inFlight: inFlight.count() }, 'stopping');
    const emptied = await inFlight.drained(limitMs);
    if (!emptied) log.warn({ inFlight: inFlight.count() }, 'gave up on requests that would not end');
    try {
      await close();
    } catch (error) {
      log.error({ err: error }, 'closing failed');
    }
    log.info('stopped');
    exit(0);
  };
}
