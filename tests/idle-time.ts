import { performance } from 'node:perf_hooks';

/**
 * Returns a function for the milliseconds that the event loop of this process has waited since: unlike elapsed time,
 * without the time that its work takes on a busy machine.
 */
export function measureIdleTime(): () => number {
  const began = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(began).idle;
}
