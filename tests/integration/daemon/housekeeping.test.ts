import { pino } from 'pino';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { DAY, systemClock, toIso } from '#shared/clock';
import { writeHeartbeat } from '#shared/monitor/heartbeat';
import type { JobName } from '#shared/queues/catalogue';
import { connectQueues, connectRedis } from '#shared/queues/connection.server';
import { createHousekeeping, type Housekeeping } from '../../../daemon/housekeeping';
import { startHousekeepingWorker } from '../../../daemon/workers/housekeeping-worker';
import { createTestDatabase, type TestDatabase } from '../database';
import { eventually } from '../monitor/monitor-fixture';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.cleanup());

test('a task that hangs delays no other, and does not run twice at once', async () => {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const started: string[] = [];
  const run = (name: string) => () => Promise.resolve(void started.push(name));
  let release = (): void => undefined;
  const housekeeping: Housekeeping = {
    retention: run('retention'),
    storage: run('storage'),
    reconcile: run('reconcile'),
    reconcileAll: run('reconcileAll'),
    uploads() {
      started.push('uploads');
      return new Promise((resolve) => (release = resolve));
    },
  };
  const queues = connectQueues(inject('redisUrl'), { prefix });
  const connection = connectRedis(inject('redisUrl'), { role: 'worker' });
  const worker = startHousekeepingWorker(housekeeping, {
    connection,
    prefix,
    logger: pino({ level: 'silent' }),
  });
  try {
    await eventually(() => expect(queues.isReady()).toBe(true));
    const order: JobName<'housekeeping'>[] = [
      'uploads',
      'uploads',
      'storage',
      'reconcile',
      'uploads',
      'retention',
    ];
    for (const name of order) await queues.housekeeping.add(name, {});
    await eventually(() => expect(started).toContain('retention'));
    expect(started.toSorted()).toEqual(['reconcile', 'retention', 'storage', 'uploads']);
    release();
    await eventually(async () => {
      await queues.housekeeping.add('uploads', {});
      expect(started.filter((name) => name === 'uploads').length).toBeGreaterThan(1);
    });
    release();
  } finally {
    await worker.stop(true);
    await queues.close();
    connection.disconnect();
  }
});

test('a table whose rows cannot be deleted keeps the rows of no other', async () => {
  const { db } = database;
  const long = toIso(Date.now() - 400 * DAY);
  const daemon = { id: 'old', host: 'here', pid: 1, startedAt: 0 };
  await writeHeartbeat(db, { instance: daemon, redisFault: null, now: Date.parse(long) });
  await sql`create trigger broken before delete on daemon_heartbeats begin select raise(abort, 'broken'); end`.execute(
    db,
  );
  const request = {
    id: 'old',
    email_hash: 'x',
    network_hash: null,
    browser_hash: null,
    proof: null,
    requested_at: long,
  };
  await db.insertInto('code_requests').values(request).execute();
  const unused = null as never;
  const housekeeping = createHousekeeping({
    db,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    storage: unused,
    releaseStorage: unused,
    findFileFault: unused,
    alarm: unused,
    payments: unused,
    adminContacts: { emails: [] },
  });
  await housekeeping.retention();
  expect(await db.selectFrom('code_requests').select('id').execute()).toEqual([]);
});
