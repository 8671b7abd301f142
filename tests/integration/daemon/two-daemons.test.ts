import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import type { DeliverySenderContext } from '#shared/alerts/deliveries/send-delivery.server';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import type { MailAnswer } from '#shared/channels/email/mailer.server';
import { HOUR, MINUTE, SECOND, toIso } from '#shared/clock';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { watchMonitor } from '#shared/monitor/watchdog';
import { syncSchedulers, type SchedulerState } from '#shared/queues/check-schedulers';
import { connectQueues, type Queues } from '#shared/queues/connection.server';
import { enqueueCheck, scheduleHousekeeping } from '#shared/queues/enqueue';
import { createNoticeClaims } from '#shared/queues/notice-claims';
import { HOUSEKEEPING_EVERY } from '../../../daemon/housekeeping';
import { createStorageAlarm, type StorageAlarm } from '../../../daemon/health/storage-alarm';
import { createTestDatabase, type TestDatabase } from '../database';
import { eventually } from '../monitor/monitor-fixture';
import { addHeartbeat, addWatch } from '../monitor/status-data';

let database: TestDatabase;
/** The connections of two daemons to one database and one Redis. */
let dbs: [Database, Database];
let queues: [Queues, Queues];

beforeEach(async () => {
  database = await createTestDatabase();
  dbs = [database.db, openDatabase(database.config)];
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const connect = () => connectQueues(inject('redisUrl'), { prefix });
  queues = [connect(), connect()];
  for (const { isReady } of queues) await eventually(() => expect(isReady()).toBe(true));
});

afterEach(async () => {
  for (const each of queues) await each.close();
  await dbs[1].destroy();
  await database.cleanup();
});

describe('a fault that the database cannot record', () => {
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  let mails: string[];

  /** The alarm of a daemon. `send` replaces its mail server. */
  function alarmOf(index: 0 | 1, send?: () => Promise<MailAnswer>): StorageAlarm {
    const { redis, prefix } = queues[index];
    const context = {
      logger: { info: () => undefined, warn: () => undefined, fatal: () => undefined },
      mailer: {
        send:
          send ?? (({ text }: { text: string }) => Promise.resolve({ kind: 'ok', count: mails.push(text) })),
      },
      adminContacts: { emails: ['admin@packwatch.example'] },
      appUrl: 'https://packwatch.example',
    };
    return createStorageAlarm(context as unknown as DeliverySenderContext, createNoticeClaims(redis, prefix));
  }

  beforeEach(() => {
    mails = [];
  });

  test('is one notice of two daemons', async () => {
    await Promise.all([alarmOf(0).consider(full), alarmOf(1).consider(full)]);
    expect(mails).toHaveLength(1);
    // A daemon that has restarted is not a new fault.
    await alarmOf(0).consider(full);
    expect(mails).toHaveLength(1);
  });

  test('is reported by the other daemon if the first cannot send', async () => {
    // As the real mailer, which never throws.
    const refused = () => Promise.resolve({ kind: 'retry', reason: 'no mail server' } as const);
    await expect(alarmOf(0, refused).consider(full)).rejects.toThrow('no mail server');
    await alarmOf(1).consider(full);
    expect(mails).toHaveLength(1);
  });

  test('is reported a minute later if no admin could be told', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const answers: MailAnswer[] = [{ kind: 'retry', reason: 'no mail server' }, { kind: 'ok' }];
    const send = vi.fn(() => Promise.resolve(answers.shift() as MailAnswer));
    const alarm = alarmOf(0, send);
    await expect(alarm.consider(full)).rejects.toThrow('no mail server');
    for (; now < 10 * MINUTE; now += 20 * SECOND) await alarm.consider(full);
    expect(send).toHaveBeenCalledTimes(2);
    vi.restoreAllMocks();
  });

  test('is told to the webhook that was set after the daemon had started', async () => {
    const posted: string[] = [];
    const context = {
      db: database.db,
      clock: { now: () => 0 },
      logger: { fatal: () => undefined },
      discord: { post: ({ id }: { id: string }) => Promise.resolve({ kind: 'ok', count: posted.push(id) }) },
      webhookHosts: ['discord.com'],
      adminContacts: { emails: [] },
      appUrl: 'https://packwatch.example',
    };
    const { redis, prefix } = queues[0];
    const alarm = createStorageAlarm(
      context as unknown as DeliverySenderContext,
      createNoticeClaims(redis, prefix),
    );
    await alarm.cacheWebhook();
    await database.db
      .insertInto('webhooks')
      .values({
        watch_id: DEFAULT_WATCH_ID,
        audience: 'admin',
        sealed_url: `https://discord.com/api/webhooks/123456789012345678/${'a'.repeat(68)}`,
        state: 'trusted',
        updated_at: toIso(0),
      })
      .execute();
    await alarm.consider(full);
    expect(posted).toEqual(['123456789012345678']);
  });

  test('is reported by both rather than by none while Redis does not answer', async () => {
    for (const { redis } of queues) redis.disconnect();
    await Promise.all([alarmOf(0).consider(full), alarmOf(1).consider(full)]);
    expect(mails).toHaveLength(2);
  });
});

describe('the watchdogs of two daemons', () => {
  const now = Date.now();
  const watchTwice = () =>
    Promise.all(dbs.map((db) => watchMonitor(db, { adminContacts: { emails: ['a@b.example'] }, now })));
  const notices = async () =>
    (await database.db.selectFrom('admin_notices').select('kind').execute()).map(({ kind }) => kind);

  test('write one notice about the daemon that is gone', async () => {
    await addHeartbeat(database.db, now - HOUR);
    await watchTwice();
    expect(await notices()).toEqual(['daemon_gone']);
  });

  test('write one notice about many silent watches', async () => {
    await addHeartbeat(database.db, now);
    const silent = { started_at: new Date(now - HOUR).toISOString(), last_conclusive_at: null };
    for (const id of ['a', 'b', 'c', 'd', 'e']) await addWatch(database.db, id, now, silent);
    await watchTwice();
    expect(await notices()).toEqual(['silence_began']);
  });
});

describe('the schedulers of two daemons', () => {
  const states = (seconds: number, count = 20): SchedulerState[] =>
    Array.from({ length: count }, (_, index) => ({
      watch: { id: `watch-${index}`, running: 1, interval_seconds: seconds },
      checking: false,
      now: Date.now(),
    }));
  const both = (work: (each: Queues) => Promise<unknown>) => Promise.all(queues.map(work));

  test('are one for each watch, with one waiting check, also when both create, change and remove them', async () => {
    const counts = async () => [
      await (await queues[0].open('monitor')).getJobSchedulersCount(),
      // The first check of the first watch is due at once.
      await (await queues[0].open('monitor')).getJobCountByTypes('delayed', 'waiting'),
    ];
    await both((each) => syncSchedulers(each, states(60)));
    expect(await counts()).toEqual([20, 20]);
    await both((each) => syncSchedulers(each, states(30)));
    expect(await counts()).toEqual([20, 20]);
    await both((each) => syncSchedulers(each, states(30, 5)));
    expect(await counts()).toEqual([5, 5]);
  });

  test('are one for each task of housekeeping', async () => {
    for (let start = 0; start < 2; start += 1)
      await both((each) => scheduleHousekeeping(each, HOUSEKEEPING_EVERY, Date.now()));
    expect(await (await queues[0].open('housekeeping')).getJobSchedulersCount()).toBe(
      Object.keys(HOUSEKEEPING_EVERY).length,
    );
  });

  test('add a confirming check once that Redis has lost', async () => {
    await both((each) => enqueueCheck(each, { watchId: 'a', trigger: 'confirm', jobId: 'late-a-1' }));
    expect(await (await queues[0].open('monitor')).getWaitingCount()).toBe(1);
  });
});
