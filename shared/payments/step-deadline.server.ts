import { AsyncLocalStorage } from 'node:async_hooks';
import { SECOND } from '../clock';

/** How long a payment step's requests may take together: a page answers within 15 s (specification), 1 s of it our work. */
export const STEP_LIFETIME_MS = 14 * SECOND;
/** The same for an object that a job reads: less than the claim of an event, which is a minute. */
export const JOB_LIFETIME_MS = 45 * SECOND;

/** When the running step ends, by `performance.now()`. */
const deadlines = new AsyncLocalStorage<number>();

/** Runs `work`, whose requests to Stripe share `lifetimeMs` (see `callStripe`). Inside another step the earlier one counts. */
export function withDeadline<T>(lifetimeMs: number, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + lifetimeMs;
  return deadlines.run(Math.min(deadline, deadlines.getStore() ?? Infinity), work);
}

/** How much time the running step has left, in milliseconds; infinite outside a step. */
export function remainingMs(): number {
  return (deadlines.getStore() ?? Infinity) - performance.now();
}
