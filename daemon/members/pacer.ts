/** Runs the work for members in short slices, so that checks and their messages never wait long for the event loop. */
export interface Pacer {
  /**
   * Calls `work` in a later turn of the event loop, in the order of the calls, those with `first` before the others.
   * Resolves or rejects with its result.
   */
  run<T>(work: () => Promise<T>, options?: { first?: boolean }): Promise<T>;
}

/** At most about this long in one turn of the event loop: an encryption or a short transaction. */
const SLICE_MS = 1;

/** Starts the calls of `run` one after the other, for some milliseconds per turn of the event loop. */
export function createPacer(): Pacer {
  const first: (() => Promise<unknown>)[] = [];
  const others: (() => Promise<unknown>)[] = [];
  let planned = false;

  async function runSlice(): Promise<void> {
    const began = performance.now();
    do {
      const work = first.shift() ?? others.shift();
      if (work === undefined) break;
      // The synchronous part, which ends before the first answer of the network.
      void work();
      // Lets the continuations of `work` run, so that they count as well.
      await null;
    } while (performance.now() - began < SLICE_MS);
    planned = false;
    plan();
  }

  function plan(): void {
    if (planned || first.length + others.length === 0) return;
    planned = true;
    setImmediate(() => void runSlice());
  }

  return {
    run: (work, { first: isFirst = false } = {}) =>
      new Promise((resolve, reject) => {
        (isFirst ? first : others).push(() => work().then(resolve, reject));
        plan();
      }),
  };
}
