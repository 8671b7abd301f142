/**
 * Lets concurrent calls share reads: a call that arrives during a read waits until that read ends and shares the next one
 * with all calls that waited. So the result of a call was read after the call, as if it had read alone, and at most one
 * read runs at a time. A failed read fails only the calls that share it.
 */
export function shareReads<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<unknown> | null = null;
  let next: Promise<Value> | null = null;

  function start(): Promise<Value> {
    const current = read();
    const ended = current.then(
      () => undefined,
      () => undefined,
    );
    running = ended;
    void ended.then(() => {
      if (running === ended) running = null;
    });
    return current;
  }

  return () => {
    if (next !== null) return next;
    if (running === null) return start();
    next = running.then(() => {
      next = null;
      return start();
    });
    return next;
  };
}
