/** Work took longer than it may. */
export class DeadlineError extends Error {
  constructor(limitMs: number) {
    super(`it took longer than ${Math.round(limitMs / 100) / 10} seconds`);
    this.name = 'DeadlineError';
  }
}

/**
 * Runs `work` with a signal that aborts after `limitMs`, or with `outer`. Rejects with the signal's reason at once, also
 * when `work` ignores the signal: what it does later has no effect on the caller.
 */
export async function withinDeadline<T>(
  { limitMs, outer }: { limitMs: number; outer: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer.throwIfAborted();
  const controller = new AbortController();
  const stop = (): void => controller.abort(outer.reason);
  outer.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(() => controller.abort(new DeadlineError(limitMs)), limitMs);
  const { signal } = controller;
  try {
    return await Promise.race([
      work(signal),
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      }),
    ]);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', stop);
  }
}
