/** How many requests a fault applies to (default: one), or all of them until it is removed. */
export interface FaultLife {
  count?: number;
  persistent?: boolean;
}

export interface FaultQueue<F extends FaultLife> {
  /** Replaces all pending faults; an empty list removes them. */
  set(faults: readonly F[]): void;
  /** Takes the first pending fault that matches and decrements its count. Undefined when there is none. */
  take(fits?: (fault: F) => boolean): F | undefined;
  /** The pending faults with their remaining counts. */
  list(): F[];
}

/** A queue of the faults that a service shows, in order. */
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
