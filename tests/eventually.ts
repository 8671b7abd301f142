import { vi } from 'vitest';

/** Between two attempts: shorter pauses take more processor time than the states that they wait for. */
const POLL_MS = 40;

/** Repeats `attempt` until it no longer throws. The limit is far above what anything takes on a busy machine. */
export function eventually<T>(attempt: () => T | Promise<T>, timeoutMs = 120_000): Promise<T> {
  return vi.waitFor(attempt, { timeout: timeoutMs, interval: POLL_MS });
}
