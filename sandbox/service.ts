import type { App } from './http/app';

/**
 * A stand-in for one external service: its routes, its part of `GET /control/state`, and its reset. `start-sandbox.ts`
 * lists the services.
 */
export interface Service {
  name: string;
  /** Absent for a service without HTTP. */
  app?: App;
  state(): unknown;
  reset(): void;
}

/** Counts changes, so that the panel can detect that it is out of date. */
export interface Changes {
  mark(): void;
  revision(): number;
}

export function createChanges(): Changes {
  let revision = 0;
  return {
    mark() {
      revision += 1;
    },
    revision: () => revision,
  };
}

/**
 * The current time in epoch milliseconds with a fraction. A benchmark in another process compares it with its own
 * `performance.timeOrigin + performance.now()`.
 */
export function epochNow(): number {
  return performance.timeOrigin + performance.now();
}

/** Keeps the newest entries and drops the oldest, so that a sandbox that runs for days does not grow. */
export interface RecentList<T> {
  add(entry: T): void;
  list(): T[];
  clear(): void;
}

/** @param limit how many entries are kept */
export function createRecentList<T>(limit: number): RecentList<T> {
  let entries: T[] = [];
  return {
    add(entry) {
      entries.push(entry);
      if (entries.length >= limit * 2) entries = entries.slice(-limit);
    },
    list: () => entries.slice(-limit),
    clear() {
      entries = [];
    },
  };
}
