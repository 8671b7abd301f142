/** What every fault has: how many requests it meets (one by default), or all of them until it is removed. */
export interface FaultLife {
  count?: number;
  persistent?: boolean;
}

export interface FaultQueue<F extends FaultLife> {
  /** Replaces whatever was waiting; an empty list takes all faults away. */
  set(faults: readonly F[]): void;
  /** The first waiting fault that fits, used up by one; undefined when the service may answer as usual. */
  take(fits?: (fault: F) => boolean): F | undefined;
  /** What is still waiting, with the counts that are left. */
  list(): F[];
}

/** The faults that a service shows, in order. */
export function createFaultQueue<F extends FaultLife>(): FaultQueue<F> {
  let waiting: { fault: F; left: number }[] = [];
  return {
    set(faults) {
      waiting = faults.map((fault) => ({ fault, left: fault.persistent ? Infinity : (fault.count ?? 1) }));
    },
    take(fits = () => true) {
      const found = waiting.find((entry) => fits(entry.fault));
      if (!found) return undefined;
      found.left -= 1;
      if (found.left <= 0) waiting = waiting.filter((entry) => entry !== found);
      return found.fault;
    },
    list() {
      return waiting.map(({ fault, left }) => (fault.persistent ? fault : { ...fault, count: left }));
    },
  };
}
