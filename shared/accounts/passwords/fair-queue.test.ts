import { describe, expect, it } from 'vitest';
import { createFairQueue, QueueFull, type FairQueueLimits } from './fair-queue';

const LIMITS: FairQueueLimits = { running: 2, runningPerKey: 1, waitingPerKey: 3, waiting: 100 };

/** A queue whose tasks end when the test ends them. */
function createScene(limits: Partial<FairQueueLimits> = {}) {
  const queue = createFairQueue({ ...LIMITS, ...limits });
  const started: string[] = [];
  const endings = new Map<string, () => void>();
  return {
    started,
    /** Adds a task, such as `a1`; its letter is the key. */
    add(name: string): Promise<string> {
      const result = queue.run(
        name.slice(0, 1),
        () =>
          new Promise<string>((resolve) => {
            started.push(name);
            endings.set(name, () => resolve(name));
          }),
      );
      // A test that expects the rejection awaits the result itself.
      result.catch(() => undefined);
      return result;
    },
    /** Ends a running task and lets the next ones start. */
    async end(name: string): Promise<void> {
      const ending = endings.get(name);
      if (ending === undefined) throw new Error(`${name} does not run`);
      ending();
      await settle();
    },
    settle,
  };
}

/** Resolves after all pending microtasks. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a fair queue', () => {
  it('runs one task of each key in turn', async () => {
    const { add, end, started, settle } = createScene();
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void add(name);
    await settle();
    expect(started).toEqual(['a1', 'b1']);
    await end('a1');
    await end('b1');
    await end('c1');
    await end('a2');
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('limits concurrency in total and per key', async () => {
    const { add, started, settle, end } = createScene({ running: 2, runningPerKey: 1 });
    for (const name of ['a1', 'a2', 'a3']) void add(name);
    await settle();
    expect(started).toEqual(['a1']);
    for (const name of ['b1', 'c1', 'd1']) void add(name);
    await settle();
    expect(started).toEqual(['a1', 'b1']);
    await end('b1');
    expect(started).toEqual(['a1', 'b1', 'c1']);
  });

  it('starts a task of another key at once while a thousand tasks of one key wait', async () => {
    const { add, started, settle } = createScene();
    const flood = Array.from({ length: 1_000 }, (_, index) => add(`a${index}`));
    void add('b1');
    await settle();
    expect(started).toEqual(['a0', 'b1']);
    await expect(flood.at(-1)).rejects.toBeInstanceOf(QueueFull);
  });

  it('refuses a key with too many waiting tasks, and accepts it again later', async () => {
    const { add, end, settle } = createScene({ waitingPerKey: 1 });
    const first = add('a1');
    await settle();
    const second = add('a2');
    await expect(add('a3')).rejects.toBeInstanceOf(QueueFull);
    await end('a1');
    expect(await first).toBe('a1');
    const fourth = add('a4');
    await end('a2');
    await end('a4');
    expect([await second, await fourth]).toEqual(['a2', 'a4']);
  });

  it('when full, refuses the newest task of the longest queue in favour of a key with fewer', async () => {
    const { add, settle, started, end } = createScene({ running: 1, waiting: 3 });
    const a1 = add('a1');
    await settle();
    const waiting = [add('a2'), add('a3'), add('a4')];
    void add('b1');
    await expect(waiting[2]).rejects.toBeInstanceOf(QueueFull);
    await expect(add('a5')).rejects.toBeInstanceOf(QueueFull);
    await end('a1');
    expect(await a1).toBe('a1');
    await end('b1');
    expect(started).toEqual(['a1', 'b1', 'a2']);
  });

  it('continues after a failed task', async () => {
    const queue = createFairQueue(LIMITS);
    const failing = queue.run('a', () => Promise.reject(new Error('failed')));
    const next = queue.run('a', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('done');
  });
});
