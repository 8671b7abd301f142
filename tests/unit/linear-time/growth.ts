/** What the processor has spent on this process, in milliseconds: unlike elapsed time, without waits for other programs. */
function spent(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The least processor time of a few runs, in milliseconds. */
function leastTime(run: () => void, rounds: number): number {
  let least = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const before = spent();
    run();
    least = Math.min(least, spent() - before);
  }
  return least;
}

/** A run of less time, in milliseconds, cannot be measured. */
const NEGLIGIBLE = 8;
/** In milliseconds. Texts of a few letters take so long only in exponential or cubic time, which would not end later. */
const HOPELESS = 30;
const FEW = [24, 200, 1000];
/** Twice the input takes twice the time, and four times the time when it is quadratic. */
const LIMIT = 3.2;

/**
 * Says how the time of `run(size)` grows when it grows faster than the size; null when it does not. Sizes grow up to
 * `size`, so that a slow run is found while it is short.
 */
export function faultOfGrowth(run: (size: number) => void, size: number): string | null {
  for (const few of FEW) {
    const time = leastTime(() => run(few), 1);
    if (time > HOPELESS && leastTime(() => run(few), 2) > HOPELESS)
      return `size ${few}: ${time.toFixed(0)} ms`;
  }
  for (const tried of [size / 8, size / 4, size]) {
    for (const rounds of [1, 3]) {
      const once = leastTime(() => run(tried), rounds);
      if (once < NEGLIGIBLE) break;
      const twice = leastTime(() => run(2 * tried), rounds);
      if (twice / once < LIMIT) break;
      if (rounds === 3)
        return `size ${tried}: ${once.toFixed(0)} ms, size ${2 * tried}: ${twice.toFixed(0)} ms`;
    }
  }
  return null;
}
