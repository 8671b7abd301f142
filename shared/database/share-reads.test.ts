import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareReads } from './share-reads';

/** A source that is read slowly: each read holds the state of its start, and ends when the test says so. */
function slowSource() {
  let state = 0;
  let ended = 0;
  const reads: { settle: (failure?: Error) => void }[] = [];
  let running = 0;
  let mostAtOnce = 0;
  const read = shareReads(
    () =>
      new Promise<number>((resolve, reject) => {
        const seen = state;
        running += 1;
        mostAtOnce = Math.max(mostAtOnce, running);
        reads.push({
          settle(failure) {
            running -= 1;
            if (failure === undefined) resolve(seen);
            else reject(failure);
          },
        });
      }),
  );
  return {
    read,
    reads,
    change: () => (state += 1),
    state: () => state,
    mostAtOnce: () => mostAtOnce,
    /** Ends the oldest read that runs, and lets the next one start. */
    async end(failure?: Error): Promise<void> {
      reads[ended]?.settle(failure);
      ended = Math.min(ended + 1, reads.length);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('a call that arrives during a read does not get its result, which may be older than the call', async () => {
  const source = slowSource();
  const first = source.read();
  source.change();
  const second = source.read();
  await source.end();
  await source.end();
  expect([await first, await second]).toEqual([0, 1]);
});

test('all calls that arrive during a read share the next one', async () => {
  const source = slowSource();
  const calls = Array.from({ length: 50 }, () => source.read());
  await source.end();
  await source.end();
  await Promise.all(calls);
  expect(source.reads).toHaveLength(2);
});

test('a failed read fails its calls, and those that waited for it read again', async () => {
  const source = slowSource();
  const first = source.read();
  const second = source.read();
  const failed = expect(first).rejects.toThrow('no connection');
  await source.end(new Error('no connection'));
  await source.end();
  await failed;
  expect(await second).toBe(0);
});

test('a read that throws at once fails its call and no later one', async () => {
  let count = 0;
  const read = shareReads(async () => {
    count += 1;
    if (count === 1) throw new Error('closed');
    return Promise.resolve(count);
  });
  await expect(read()).rejects.toThrow('closed');
  expect(await read()).toBe(2);
});

test('in any order of calls, changes and ends, no result is older than its call and one read runs at a time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('call', 'change', 'end', 'fail'), { maxLength: 40 }),
      async (steps) => {
        const source = slowSource();
        const calls: Promise<void>[] = [];
        for (const step of steps) {
          if (step === 'change') source.change();
          if (step === 'end') await source.end();
          if (step === 'fail') await source.end(new Error('failed'));
          if (step === 'call') {
            const atCall = source.state();
            calls.push(
              source.read().then(
                (result) => expect(result).toBeGreaterThanOrEqual(atCall),
                (error: Error) => expect(error.message).toBe('failed'),
              ),
            );
          }
        }
        await source.end();
        await source.end();
        await Promise.all(calls);
        expect(source.mostAtOnce()).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 100 },
  );
});
