/** Runs work of several keys in turn, so that a caller with much work delays only itself. */
export interface FairQueue {
  /** Runs `work` when its key's turn comes; its result. Rejects with `QueueFull` at once when too much work waits. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

export interface FairQueueLimits {
  /** How many tasks run at the same time. */
  running: number;
  /** How many tasks of one key run at the same time. */
  runningPerKey: number;
  /** How many tasks of one key wait. */
  waitingPerKey: number;
  /** How many tasks of all keys wait. */
  waiting: number;
}

/** Too many tasks of the same key, or of all keys, wait already. */
export class QueueFull extends Error {
  constructor() {
    super('too much work waits already');
    this.name = 'QueueFull';
  }
}

interface Waiting {
  start(): void;
  refuse(): void;
}

/**
 * Creates a queue that takes one task of each key in turn (round robin). When it is full, the key with the most
 * waiting tasks loses its newest one, so a key is refused only while no other key has more.
 */
export function createFairQueue({
  running,
  runningPerKey,
  waitingPerKey,
  waiting,
}: FairQueueLimits): FairQueue {
  /** The waiting tasks by key, in the order of the keys' turns. */
  const queues = new Map<string, Waiting[]>();
  const runningOf = new Map<string, number>();
  let runningCount = 0;
  let waitingCount = 0;

  const startNext = (): void => {
    if (runningCount >= running) return;
    for (const [key, queue] of queues) {
      if ((runningOf.get(key) ?? 0) >= runningPerKey) continue;
      const next = queue.shift();
      queues.delete(key);
      // Last in order: the other keys are next.
      if (queue.length > 0) queues.set(key, queue);
      if (next === undefined) continue;
      waitingCount -= 1;
      runningCount += 1;
      runningOf.set(key, (runningOf.get(key) ?? 0) + 1);
      next.start();
      startNext();
      return;
    }
  };

  const end = (key: string): void => {
    runningCount -= 1;
    const remaining = (runningOf.get(key) ?? 1) - 1;
    if (remaining === 0) runningOf.delete(key);
    else runningOf.set(key, remaining);
    const queue = queues.get(key);
    if (queue !== undefined) {
      // Its turn is over: other waiting keys come first.
      queues.delete(key);
      queues.set(key, queue);
    }
    startNext();
  };

  /** Refuses the newest task of the longest queue, if that queue is longer than `length`. Returns whether it did. */
  const evictNewest = (length: number): boolean => {
    let longest: Waiting[] = [];
    for (const queue of queues.values()) if (queue.length > longest.length) longest = queue;
    if (longest.length <= length) return false;
    longest.pop()?.refuse();
    waitingCount -= 1;
    return true;
  };

  return {
    run: (key, work) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(key) ?? [];
        const mayWait =
          queue.length < waitingPerKey && (waitingCount < waiting || evictNewest(queue.length + 1));
        if (!mayWait) {
          reject(new QueueFull());
          return;
        }
        queue.push({
          start() {
            void Promise.resolve()
              .then(work)
              .then(resolve, reject)
              .finally(() => end(key));
          },
          refuse: () => reject(new QueueFull()),
        });
        queues.set(key, queue);
        waitingCount += 1;
        startNext();
      }),
  };
}
