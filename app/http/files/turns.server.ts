/**
 * Creates a queue whose waiters continue in order of arrival, one per iteration of the event loop. Downloads wait in it
 * between two chunks, so that many of them delay a page by one chunk, not by one each.
 */
export function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}
