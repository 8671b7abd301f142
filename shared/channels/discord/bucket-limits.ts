import { SECOND } from '../../clock';

type Headers = Record<string, string | string[] | undefined>;

/**
 * The rate limits of one token at Discord's API: a route has a bucket, named by the headers of its answers, and all calls
 * together have the global limit (Discord docs, "Rate Limits"). Nothing is assumed about their sizes.
 */
export interface BucketLimits {
  /** How long a call of the route must wait, in ms; 0: it may be made, and is counted. */
  take(route: string): number;
  /** How long the first of these routes that must wait has to, in ms; counts nothing. */
  waitMs(routes: readonly string[]): number;
  /** Reads the headers of an answer. */
  note(route: string, headers: Headers): void;
  /** A 429 asked for this wait. */
  pause(route: string, waitMs: number, isGlobal: boolean): void;
}

interface Bucket {
  /** Calls of a new window; null: not known yet. */
  limit: number | null;
  remaining: number;
  resetAt: number;
}

const textOf = (value: Headers[string]): string => String((Array.isArray(value) ? value[0] : value) ?? '');

/** A number of a header; null for anything else. */
function numberOf(value: Headers[string]): number | null {
  const text = textOf(value);
  return /^\d{1,10}(\.\d{1,10})?$/.test(text) ? Number(text) : null;
}

/** Creates the limits of one token. `now`: a clock that is never set back, in ms. */
export function createBucketLimits(now: () => number = () => performance.now()): BucketLimits {
  /** By the name of the bucket; a route without a name has its own. */
  const buckets = new Map<string, Bucket>();
  const names = new Map<string, string>();
  let pausedUntil = Number.NEGATIVE_INFINITY;

  const bucketOf = (route: string): Bucket | undefined => buckets.get(names.get(route) ?? route);

  function waitOf(route: string, at: number): number {
    const bucket = bucketOf(route);
    const until = bucket !== undefined && bucket.remaining <= 0 ? bucket.resetAt : at;
    return Math.max(0, Math.ceil(Math.max(pausedUntil, until) - at));
  }

  return {
    take(route) {
      const at = now();
      const bucket = bucketOf(route);
      if (bucket !== undefined && at >= bucket.resetAt) {
        // Unless its size is known, one call learns the new window from its answer.
        bucket.remaining = bucket.limit ?? 1;
        bucket.resetAt = at + SECOND;
      }
      const waitMs = waitOf(route, at);
      if (waitMs === 0 && bucket !== undefined) bucket.remaining -= 1;
      return waitMs;
    },
    waitMs(routes) {
      const at = now();
      return Math.max(0, ...routes.map((route) => waitOf(route, at)));
    },
    note(route, headers) {
      const name = textOf(headers['x-ratelimit-bucket']);
      const limit = numberOf(headers['x-ratelimit-limit']);
      const remaining = numberOf(headers['x-ratelimit-remaining']);
      const resetAfter = numberOf(headers['x-ratelimit-reset-after']);
      if (remaining === null || resetAfter === null) return;
      if (name !== '') names.set(route, name);
      const resetAt = now() + resetAfter * SECOND;
      const known = bucketOf(route);
      // Answers of calls that ran side by side may come in any order: the lowest number of a window is true.
      const isSameWindow = known !== undefined && Math.abs(known.resetAt - resetAt) < SECOND / 2;
      buckets.set(names.get(route) ?? route, {
        limit,
        remaining: isSameWindow ? Math.min(known.remaining, remaining) : remaining,
        resetAt,
      });
    },
    pause(route, waitMs, isGlobal) {
      const until = now() + waitMs;
      if (isGlobal) pausedUntil = Math.max(pausedUntil, until);
      else
        buckets.set(names.get(route) ?? route, {
          limit: bucketOf(route)?.limit ?? null,
          remaining: 0,
          resetAt: until,
        });
    },
  };
}
