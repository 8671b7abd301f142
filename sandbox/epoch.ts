/**
 * Now, as epoch milliseconds with a fraction: finer than `Date.now()`, so that a benchmark in another process can
 * compare an arrival here with its own `performance.timeOrigin + performance.now()`.
 */
export function epochNow(): number {
  return performance.timeOrigin + performance.now();
}
