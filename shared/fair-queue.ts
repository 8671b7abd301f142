/** Runs work in turn, so that a caller who asks for much work delays only itself. */
export interface FairQueue {
  /**
   * Runs `work` when its key's turn comes, and settles as it does. Throws `QueueFull` at once, without running it, when
   * too much work of this key waits already.
   */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

export interface FairQueueLimits {
  /** How many works run at the same time. */
  running: number;
  /** How many of one key run at the same time. */
  runningPerKey: number;
  /** How many works of one key wait for their turn. */
  waitingPerKey: number;
  /** How many works of all keys wait for their turn. */
  waiting: number;
}

/** Too much work of the same key waits already, or of all keys. */
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
 * A queue that takes one work of each key in turn (round robin). When `waiting` is reached, the key with the longest
 * queue loses its newest work, so that a key with little work is refused only while no other key has more.
 */
export function createFairQueue({
  running,
  runningPerKey,
  waitingPerKey,
  waiting,
}: FairQueueLimits): FairQueue {
  /** The works that wait, by key. The order of the keys is the order of their turns. */
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
      // Behind the others: the next turn is theirs.
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
    const left = (runningOf.get(key) ?? 1) - 1;
    if (left === 0) runningOf.delete(key);
    else runningOf.set(key, left);
    const queue = queues.get(key);
    if (queue !== undefined) {
      // Its turn is over: keys that waited meanwhile come first.
      queues.delete(key);
      queues.set(key, queue);
    }
    startNext();
  };

  /** Refuses the newest work of the longest queue, when that queue is longer than `length`. */
  const makeRoom = (length: number): boolean => {
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
          queue.length < waitingPerKey && (waitingCount < waiting || makeRoom(queue.length + 1));
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
