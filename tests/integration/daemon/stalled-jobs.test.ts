import { Worker } from 'bullmq';
import { pino } from 'pino';
import { randomBytes } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { connectQueues, connectRedis } from '#shared/queues/connection.server';
import { startWorker } from '../../../daemon/workers/typed-worker';
import { eventually } from '../monitor/monitor-fixture';

interface Line {
  level: number;
  msg: string;
  queue: string;
  job: string;
}

// It was logged as an error, as if the job had a bug.
test('a job whose lock ended too often is dropped with a warning that says what follows', async () => {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const lines: Line[] = [];
  const calls: string[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const queues = connectQueues(inject('redisUrl'), { prefix });
  const connection = connectRedis(inject('redisUrl'), { role: 'worker' });
  const handlers = {
    make({ payload }: { payload: { id?: string | undefined } }) {
      calls.push(payload.id ?? '');
      return payload.id === 'held' ? held : Promise.resolve();
    },
  };
  const worker = startWorker('exports', handlers, {
    connection,
    prefix,
    logger: pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line) as Line) }),
    concurrency: 2,
  });
  // Looks for jobs without a lock far more often than the product's worker does, and takes none.
  const finder = new Worker('exports', null, {
    connection,
    prefix,
    stalledInterval: 20,
    maxStalledCount: 3,
  });
  try {
    await eventually(() => expect(queues.isReady()).toBe(true));
    const job = await (await queues.open('exports')).add('make', { id: 'held', attempt: 1 });
    const key = (await queues.open('exports')).toKey(job.id ?? '');
    await eventually(() => expect(calls).toEqual(['held']));
    await queues.redis.hset(key, 'stc', 3);
    await finder.startStalledCheckTimer();
    await eventually(async () => {
      // As if the process had not run for as long as the lock lasts. The other key holds the next look up.
      await queues.redis.del(`${key}:lock`, (await queues.open('exports')).toKey('stalled-check'));
      expect(lines).toHaveLength(1);
    });
    expect(lines).toMatchObject([{ level: 40, queue: 'exports', job: 'make' }]);
    expect(lines[0]?.msg).toMatch(
      /^the queue dropped a job .*: the next run or sweep does what is stored; .* must be asked for again$/,
    );
    // It is not started again, and the worker continues.
    await (await queues.open('exports')).add('make', { id: 'next', attempt: 1 });
    await eventually(() => expect(calls).toEqual(['held', 'next']));
    expect(await queues.redis.exists(key)).toBe(0);
  } finally {
    release();
    await finder.close(true);
    await worker.stop(true);
    await queues.close();
    connection.disconnect();
  }
});
