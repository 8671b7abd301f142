/** Runs the work for members in short slices, so that checks and their messages never wait long for the event loop. */
export interface Pacer {
  /** Calls `work` in a later turn of the event loop, in order, those with `first` before others. Settles as it does. */
  run<T>(work: () => Promise<T>, options?: { first?: boolean }): Promise<T>;
}

/** An instant message that takes longer than this waits for its receiver, not for the event loop. */
const HOLD_MS = 100;
const HOLD_POLL_MS = 2;

/** At most about this long in one turn of the event loop: an encryption or a short transaction. */
const SLICE_MS = 1;

/** Starts the calls of `run` in turn, about a millisecond per turn of the event loop. Pauses first while `isUrgent`. */
export function createPacer({ isUrgent }: { isUrgent: () => boolean }): Pacer {
  const first: (() => Promise<unknown>)[] = [];
  const others: (() => Promise<unknown>)[] = [];
  let planned = false;
  let heldSince: number | null = null;

  /** Whether to leave this turn to an instant message. */
  function isHeld(): boolean {
    if (!isUrgent()) {
      heldSince = null;
      return false;
    }
    heldSince ??= performance.now();
    return performance.now() - heldSince < HOLD_MS;
  }

  async function runSlice(): Promise<void> {
    if (isHeld()) {
      setTimeout(() => void runSlice(), HOLD_POLL_MS);
      return;
    }
    const began = performance.now();
    do {
      const work = first.shift() ?? others.shift();
      if (work === undefined) break;
      // The synchronous part, which ends before the first answer of the network.
      void work();
      // Lets the continuations of `work` run, so that they count as well.
      await Promise.resolve();
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
