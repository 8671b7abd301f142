import { randomBytes } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { connectQueues } from '#shared/queues/connection.server';

test('a producer whose first command fails is opened again, and leaves no listener behind', async () => {
  const queues = connectQueues(inject('redisUrl'), { prefix: `test-${randomBytes(6).toString('hex')}` });
  const { redis } = queues;
  await queues.open('mail');
  const listeners = () => ['error', 'close', 'ready'].map((event) => redis.listenerCount(event));
  const before = listeners();
  redis.info = () => Promise.reject(new Error('ERR refused'));
  for (let attempt = 0; attempt < 20; attempt += 1)
    await expect(queues.open('alerts')).rejects.toThrow('ERR refused');
  expect(listeners()).toEqual(before);
  Reflect.deleteProperty(redis, 'info');
  const alerts = await queues.open('alerts');
  expect((await alerts.add('deliver', { id: 'a', attempt: 1 })).id).toBeDefined();
  await queues.close();
});

test('while Redis is offline no producer is opened, and the call says so', async () => {
  // Port 1 (TCPMUX) has no server.
  const queues = connectQueues('redis://127.0.0.1:1');
  await expect(queues.open('mail')).rejects.toMatchObject({ kind: 'Unavailable', code: 'queue_unavailable' });
  await queues.close();
});
