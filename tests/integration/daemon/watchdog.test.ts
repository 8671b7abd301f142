import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND, toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { writeHeartbeat, markStopped, type DaemonInstance } from '#shared/monitor/heartbeat';
import { readMonitorStatus } from '#shared/monitor/read-status.server';
import { startMonitoring, stopMonitoring } from '#shared/monitor/start-stop';
import { watchMonitor } from '#shared/monitor/watchdog';
import { createTestDatabase, type TestDatabase } from '../database';
import { adminTitles, withDaemon } from '../alerts/delivery-fixture';
import { eventually } from '../monitor/monitor-fixture';

const NOON = Date.parse('2027-01-15T12:00:00.000Z');
const adminContacts = { emails: ['ada@packwatch.test'] };
const actor = { userId: null };

let test: TestDatabase;
let db: Database;
let now: number;
let instance: DaemonInstance;
const clock = { now: () => now };

beforeEach(async () => {
  test = await createTestDatabase();
  db = test.db;
  now = NOON;
  instance = {
    id: 'daemon',
    host: 'here',
    bootId: null,
    pidNamespace: null,
    pid: 1,
    startedAt: NOON - 10 * MINUTE,
  };
  await writeHeartbeat(db, { instance, redisFault: null, now });
  await startMonitoring(db, { actor, clock });
});
afterEach(() => test.cleanup());

const conclude = (at: number) =>
  db
    .updateTable('watches')
    .set({ last_conclusive_at: toIso(at), last_verdict: 'open' })
    .execute();

/** Runs the watchdog of the web process, without a daemon. */
async function watch(): Promise<void> {
  await watchMonitor(db, { adminContacts, now });
}

async function kinds(): Promise<string[]> {
  const rows = await db.selectFrom('admin_notices').select('kind').orderBy('created_at').execute();
  return rows.map((row) => row.kind);
}

describe('the watchdog', () => {
  it('reports five minutes without a conclusive verdict once, and the end once', async () => {
    const stay = async (ms: number): Promise<void> => {
      now += ms;
      await writeHeartbeat(db, { instance, redisFault: null, now });
      await watch();
    };
    await stay(5 * MINUTE - 1);
    expect(await kinds()).toEqual([]);
    await stay(1);
    expect(await kinds()).toEqual(['silence_began']);
    expect((await readMonitorStatus(db, clock)).silent).toBe(true);
    await stay(MINUTE);
    await stay(MINUTE);
    expect(await kinds()).toEqual(['silence_began']);
    await conclude(now);
    await stay(SECOND);
    expect(await kinds()).toEqual(['silence_began', 'silence_ended']);
    expect((await readMonitorStatus(db, clock)).silent).toBe(false);
    await stay(5 * MINUTE);
    expect(await kinds()).toEqual(['silence_began', 'silence_ended', 'silence_began']);
  });

  it('reports many silent watches in one notice, and one with its own admin webhook in another', async () => {
    const ids = Array.from({ length: 12 }, (_unused, index) => `shop-${index}`);
    await db
      .insertInto('watches')
      .values(
        ids.map((id) => ({
          id,
          slug: id,
          shop: id,
          title: `Title of ${id}`,
          time_zone: 'Europe/London',
          hours: '9-21',
          interval_seconds: 60,
          running: 1 as const,
          started_at: toIso(NOON),
        })),
      )
      .execute();
    await db
      .insertInto('webhooks')
      .values({ watch_id: 'shop-11', audience: 'admin', sealed_url: 'x', updated_at: toIso(NOON) })
      .execute();
    await conclude(NOON + MINUTE);
    const titles = async (): Promise<string[]> =>
      (await db.selectFrom('admin_notices').select('title').execute()).map(({ title }) => title).sort();
    now = NOON + 6 * MINUTE;
    await writeHeartbeat(db, { instance, redisFault: null, now });
    await watch();
    await watch();
    const began = [
      '12 monitors have seen nothing for 5 minutes',
      'The monitor of Title of shop-11 has seen nothing for 5 minutes',
    ];
    expect(await titles()).toEqual(began);
    await conclude(now + 1);
    await watch();
    await watch();
    expect(await titles()).toEqual([
      ...began.slice(0, 1),
      '12 monitors see their shops again',
      ...began.slice(1),
      'The monitor of Title of shop-11 sees the shop again',
    ]);
  });

  it('counts from the start of the monitoring hours, not from the evening before', async () => {
    await conclude(NOON + 8 * 60 * MINUTE + 59 * MINUTE);
    now = Date.parse('2027-01-16T09:04:59.999Z');
    await writeHeartbeat(db, { instance, redisFault: null, now });
    await watch();
    expect(await kinds()).toEqual([]);
    now += 1;
    await watch();
    expect(await kinds()).toEqual(['silence_began']);
  });

  it('counts across midnight when the hours are the whole day', async () => {
    await db.updateTable('watches').set({ hours: '0-24' }).execute();
    await conclude(Date.parse('2027-01-15T23:58:00.000Z'));
    now = Date.parse('2027-01-16T00:03:00.000Z');
    await writeHeartbeat(db, { instance, redisFault: null, now });
    await watch();
    expect(await kinds()).toEqual(['silence_began']);
  });

  it('reports a dead daemon once, without a second notice about the silence, and its return once', async () => {
    now += MINUTE - 1;
    await watch();
    expect(await kinds()).toEqual([]);
    now += 1;
    await watch();
    await watch();
    now += 20 * MINUTE;
    await watch();
    expect(await kinds()).toEqual(['daemon_gone']);
    instance = { ...instance, id: 'another', startedAt: now };
    await writeHeartbeat(db, { instance, redisFault: null, now });
    await watch();
    await watch();
    expect(await kinds()).toEqual(['daemon_gone', 'daemon_back']);
  });

  it('reports a daemon that was stopped while monitoring runs', async () => {
    await markStopped(db, { instance, now });
    now += MINUTE;
    await watch();
    expect(await kinds()).toEqual(['daemon_gone']);
  });

  it('reports a dead daemon also while every watch is stopped, in words that fit', async () => {
    await stopMonitoring(db, { actor, clock });
    now += MINUTE - 1;
    await watch();
    expect(await kinds()).toEqual([]);
    now += 60 * MINUTE;
    await watch();
    await watch();
    expect(await kinds()).toEqual(['daemon_gone']);
    const { body } = await db.selectFrom('admin_notices').select('body').executeTakeFirstOrThrow();
    expect(body).toBe(
      'Its last heartbeat was at 12:00:00 on 15 January. Sign-in codes, other emails and payments wait for it.',
    );
    await writeHeartbeat(db, { instance, redisFault: null, now });
    await watch();
    expect(await kinds()).toEqual(['daemon_gone', 'daemon_back']);
  });

  it('reports the return of a daemon also when the last watch was stopped since', async () => {
    now += MINUTE;
    await watch();
    await stopMonitoring(db, { actor, clock });
    await watch();
    await writeHeartbeat(db, { instance, redisFault: null, now });
    await watch();
    expect(await kinds()).toEqual(['daemon_gone', 'daemon_back']);
  });

  it('gives the daemon that starts with the web process a minute for its first heartbeat', async () => {
    now += 60 * MINUTE;
    await watchMonitor(db, { adminContacts, now, watchedForMs: 15 * SECOND });
    expect(await kinds()).toEqual([]);
    await watchMonitor(db, { adminContacts, now, watchedForMs: MINUTE });
    expect(await kinds()).toEqual(['daemon_gone']);
  });

  it('with ten minutes between two checks reports no silence in an hour, and a real one after two intervals', async () => {
    await db.updateTable('watches').set({ interval_seconds: 600 }).execute();
    const stay = async (ms: number): Promise<boolean> => {
      now += ms;
      await writeHeartbeat(db, { instance, redisFault: null, now });
      await watch();
      return (await readMonitorStatus(db, clock)).silent;
    };
    const until = NOON + 60 * MINUTE;
    while (now < until) {
      if ((now - NOON) % (10 * MINUTE) === 0) await conclude(now);
      expect(await stay(MINUTE)).toBe(false);
    }
    // The last conclusive check was ten minutes ago; one without a verdict is no silence yet.
    expect(await stay(11 * MINUTE - 1)).toBe(false);
    expect(await kinds()).toEqual([]);
    expect(await stay(1)).toBe(true);
    const notice = await db.selectFrom('admin_notices').select(['kind', 'title']).executeTakeFirstOrThrow();
    expect(notice).toEqual({ kind: 'silence_began', title: 'The monitor has seen nothing for 21 minutes' });
  });

  it('does not take times in the future for recent: the clock was set back while no process ran', async () => {
    const back = now - 60 * MINUTE;
    await conclude(now);
    now = back;
    await watch();
    expect(await kinds()).toEqual(['daemon_gone']);
    await db.deleteFrom('daemon_heartbeats').execute();
    await writeHeartbeat(db, {
      instance: { ...instance, startedAt: now - 2 * MINUTE },
      redisFault: null,
      now,
    });
    await watch();
    expect(await kinds()).toEqual(['daemon_gone', 'daemon_back', 'silence_began']);
  });

  it('reports once when web and daemon check concurrently', async () => {
    now += 6 * MINUTE;
    await Promise.all([watch(), watch(), watch()]);
    expect(await kinds()).toEqual(['daemon_gone']);
    const rows = await db.selectFrom('alert_deliveries').select('destination').execute();
    expect(rows).toEqual([{ destination: adminContacts.emails[0] }]);
  });

  it('notifies the admins through the daemon', () =>
    withDaemon({ webhooks: ['admin'] }, async (fixture) => {
      await fixture.startMonitoring();
      fixture.sandbox.shop.show('error');
      fixture.clock.advance(5 * MINUTE);
      await eventually(() =>
        expect(adminTitles(fixture)).toEqual(['The monitor has seen nothing for 5 minutes']),
      );
      fixture.sandbox.shop.show('open');
      await fixture.check();
      fixture.clock.advance(9 * SECOND);
      await eventually(() =>
        expect(adminTitles(fixture)).toEqual([
          'The monitor has seen nothing for 5 minutes',
          'The monitor sees the shop again',
        ]),
      );
    }));
});
