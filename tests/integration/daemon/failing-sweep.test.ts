import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOutageLog } from '#shared/database/outage-log';
import type { Queues } from '#shared/queues/connection.server';
import { createLoop } from '../../../daemon/loop';
import { createTestDatabase, type TestDatabase } from '../database';
import { eventually } from '../monitor/monitor-fixture';

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.cleanup());

// The daemon counted as gone: no heartbeat, no watchdog, and no later outbox was sent.
it('a bug in the sweep of one outbox keeps neither the others nor the heartbeat from their turn', async () => {
  const logger = pino({ level: 'silent' });
  const swept: string[] = [];
  const runnerOf = (queue: string) => ({
    handlers: {},
    sweep: () => Promise.resolve(void swept.push(queue)),
    stop: () => Promise.resolve(),
  });
  const loop = createLoop({
    db: test.db,
    clock: { now: Date.now, uptime: () => performance.now(), machineAheadMs: () => 0 },
    handleClockStep: () => Promise.resolve(),
    logger,
    outages: createOutageLog(test.db, logger),
    queues: { isReady: () => false } as Queues,
    deliveries: { dispatch: () => undefined, isSending: () => true },
    runners: {
      alerts: runnerOf('alerts'),
      members: { ...runnerOf('members'), sweep: () => Promise.reject(new TypeError('a bug')) },
      payments: runnerOf('payments'),
    },
    adminContacts: { emails: [] },
    probeRedis: () => Promise.resolve(null),
    findLogFault: () => Promise.resolve(null),
    instance: { id: 'daemon', host: 'here', bootId: null, pidNamespace: null, pid: 1, startedAt: Date.now() },
  } as unknown as Parameters<typeof createLoop>[0]);
  loop.start();
  await eventually(async () => {
    expect(await test.db.selectFrom('daemon_heartbeats').select('id').execute()).toEqual([{ id: 'daemon' }]);
  });
  await loop.stop();
  expect(swept).toEqual(expect.arrayContaining(['alerts', 'payments']));
});
