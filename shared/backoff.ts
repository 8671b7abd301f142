/**
 * The wait after the `attempt`-th failed attempt (from 1), in milliseconds: doubles from `firstMs` up to `maxMs`,
 * with a jitter of a fifth so that concurrent failures do not retry together.
 */
export function exponentialBackoffMs({
  attempt,
  firstMs,
  maxMs,
  random = Math.random,
}: {
  attempt: number;
  firstMs: number;
  maxMs: number;
  random?: () => number;
}): number {
  const base = Math.min(firstMs * 2 ** Math.max(0, attempt - 1), maxMs);
  return Math.round(base * (0.8 + 0.4 * random()));
}
