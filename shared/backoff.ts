/**
 * How long to wait after the `attempt`-th failed attempt (from 1), in milliseconds: doubling from `firstMs` to
 * `longestMs`, spread by up to a fifth either way so that many who failed together do not come back together.
 */
export function exponentialBackoffMs({
  attempt,
  firstMs,
  longestMs,
  random = Math.random,
}: {
  attempt: number;
  firstMs: number;
  longestMs: number;
  random?: () => number;
}): number {
  const base = Math.min(firstMs * 2 ** Math.max(0, attempt - 1), longestMs);
  return Math.round(base * (0.8 + 0.4 * random()));
}
