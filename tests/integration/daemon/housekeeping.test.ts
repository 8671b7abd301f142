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
import { refuseWrites, usesPostgres } from '../database-faults';

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
    deletions: run('deletions'),
    shareImages: run('shareImages'),
    sourceTrust: run('sourceTrust'),
    reconcile: run('reconcile'),
    reconcileAll: run('reconcileAll'),
    compareRoles: run('compareRoles'),
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
      'shareImages',
      'reconcile',
      'uploads',
      'retention',
    ];
    for (const name of order) await (await queues.open('housekeeping')).add(name, {});
    await eventually(() => expect(started).toContain('retention'));
    expect(started.toSorted()).toEqual(['reconcile', 'retention', 'shareImages', 'uploads']);
    release();
    await eventually(async () => {
      await (await queues.open('housekeeping')).add('uploads', {});
      expect(started.filter((name) => name === 'uploads').length).toBeGreaterThan(1);
    });
  } finally {
    release();
    await worker.stop(true);
    await queues.close();
    connection.disconnect();
  }
});

// The rows are made without those that they refer to, which PostgreSQL always wants.
test.skipIf(usesPostgres())(
  'rows whose life has ended are deleted, also when those of one table cannot be',
  async () => {
    const { db } = database;
    const long = toIso(Date.now() - 400 * DAY);
    const daemon = { id: 'old', host: 'here', bootId: null, pidNamespace: null, pid: 1, startedAt: 0 };
    await writeHeartbeat(db, { instance: daemon, redisFault: null, now: Date.parse(long) });
    await refuseWrites(db, 'delete on daemon_heartbeats');
    const request = {
      id: 'old',
      email_hash: 'x',
      network_hash: null,
      browser_hash: null,
      proof: null,
      requested_at: long,
    };
    await db.insertInto('code_requests').values(request).execute();
    // Rows of a year ago and of now, of tables that only grow.
    await sql`pragma foreign_keys = off`.execute(db);
    for (const at of [long, toIso(Date.now())]) {
      await db
        .insertInto('audit_log')
        .values({
          id: `audit-${at}`,
          actor_id: null,
          action: 'a',
          subject: null,
          details: null,
          created_at: at,
        })
        .execute();
      await db
        .insertInto('admin_notices')
        .values({
          id: `notice-${at}`,
          kind: 'daemon_back',
          dedupe_key: at,
          title: 't',
          body: 'b',
          created_at: at,
        })
        .execute();
      const start = {
        user_id: 'u',
        platform: 'windows' as const,
        version: '',
        session_id: at,
        sha256: 'x'.repeat(64),
      };
      await db
        .insertInto('release_download_starts')
        .values({ ...start, created_at: at })
        .execute();
      await db
        .insertInto('plan_quotes')
        .values({
          id: `quote-${at}`,
          user_id: 'u',
          subscription_id: 's',
          from_package_id: 'monthly',
          new_package_id: 'yearly',
          proration_at: 1,
          remaining_pence: 1,
          prorated_pence: 1,
          status: 'used',
          created_at: at,
          expires_at: at,
        })
        .execute();
    }
    const unused = null as never;
    const housekeeping = createHousekeeping({
      db,
      clock: systemClock,
      logger: pino({ level: 'silent' }),
      storage: unused,
      releaseStorage: unused,
      payments: unused,
      guild: null,
      keyring: unused,
      adminContacts: { emails: [] },
    });
    await housekeeping.retention();
    expect(await db.selectFrom('code_requests').select('id').execute()).toEqual([]);
    for (const table of ['audit_log', 'admin_notices', 'release_download_starts', 'plan_quotes'] as const)
      expect([table, (await db.selectFrom(table).select('created_at').execute()).length]).toEqual([table, 1]);
  },
);
