const TRIES = 4;

/**
 * The milliseconds that `attempt` takes: the least of a few tries, which end when one takes less than `limitMs`. A busy
 * machine delays a single try; what waits for a limit is late each time. `prepare`: what each try begins with, not measured.
 */
export async function fastest<T = void>(
  limitMs: number,
  attempt: (prepared: T) => Promise<unknown>,
  prepare?: () => Promise<T>,
): Promise<number> {
  let least = Infinity;
  for (let tried = 0; tried < TRIES && least >= limitMs; tried += 1) {
    const prepared = (await prepare?.()) as T;
    const began = performance.now();
    await attempt(prepared);
    least = Math.min(least, performance.now() - began);
  }
  return least;
}
