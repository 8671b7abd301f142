import { z } from 'zod';

/** How many requests a fault applies to (default: one), or all of them until it is removed. */
export const faultLife = {
  count: z.int().min(1).max(100_000).optional(),
  persistent: z.boolean().optional(),
};
export type FaultLife = z.infer<z.ZodObject<typeof faultLife>>;

export interface FaultQueue<F extends FaultLife> {
  /** Replaces all pending faults; an empty list removes them. */
  set(faults: readonly F[]): void;
  /** Takes the first pending fault that matches and reduces its count. Undefined when there is none. */
  take(fits?: (fault: F) => boolean): F | undefined;
  /** The pending faults with their remaining counts. */
  list(): F[];
}

/** A queue of the faults that a service shows, in order. */
export function createFaultQueue<F extends FaultLife>(): FaultQueue<F> {
  let pending: { fault: F; left: number }[] = [];
  return {
    set(faults) {
      pending = faults.map((fault) => ({ fault, left: fault.persistent ? Infinity : (fault.count ?? 1) }));
    },
    take(fits = () => true) {
      const found = pending.find((entry) => fits(entry.fault));
      if (!found) return undefined;
      found.left -= 1;
      if (found.left <= 0) pending = pending.filter((entry) => entry !== found);
      return found.fault;
    },
    list() {
      return pending.map(({ fault, left }) => (fault.persistent ? fault : { ...fault, count: left }));
    },
  };
}
