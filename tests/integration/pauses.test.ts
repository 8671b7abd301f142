import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '#shared/clock';
import { readWatch } from '#shared/monitor/watches';
import { readDaemonStatus } from '#shared/monitor/heartbeat';
import { listMonitorSettings, readMonitorSettings } from '#shared/monitor/monitor-settings';
import { requestCheck } from '#shared/monitor/checks/request-check.server';
import { startMonitoring, stopMonitoring } from '#shared/monitor/start-stop';
import { closeRoom, inWorld, openRoom, requestsOf, untilDelivery } from './delivery-view';
import { eventually, type World } from './monitor-world';

const actor = { userId: null };
const instant = (world: World) => world.sandbox.discord.messages('instant');
const titleOf = (world: World) => instant(world)[0]?.embeds[0]?.title;
const start = (world: World) => startMonitoring(world.db, { actor, clock: world.clock });
const stop = (world: World) => stopMonitoring(world.db, { actor, clock: world.clock });

/** Time passes until the daemon's next heartbeat job is overdue, so that nobody has to sit it out. */
const letHeartbeatComeDue = (world: World) => world.clock.advance(9 * SECOND);

const statuses = async (world: World) =>
  (await world.db.selectFrom('alerts').select('status').orderBy('opened_at').execute()).map(
    (row) => row.status,
  );

const readNotBefore = async (world: World): Promise<number | null> => {
  const { not_before: notBefore } = await readWatch(world.db);
  return notBefore === null ? null : Date.parse(notBefore) - world.clock.now();
};

describe.concurrent('the end of the day’s hours', () => {
  it('pauses an open alert without closing it, and the next morning’s room is a new one', () =>
    inWorld({}, async (world) => {
      await world.set('monitoring_hours', '9-21');
      // A winter evening: London keeps UTC. The year is far enough ahead to be after any test's own day.
      // The free message is due thirty seconds later: well after the hours’ end has been noticed.
      world.clock.moveTo('2030-01-15T20:59:50.000Z');
      await world.start();
      await openRoom(world);
      await untilDelivery(world, 'instant', 'sent');
      world.clock.moveTo('2030-01-15T21:00:01.000Z');
      letHeartbeatComeDue(world);
      await eventually(() => expect(titleOf(world)).toBe('Pokemon Center UK: monitoring is paused'));
      expect(await statuses(world)).toEqual(['suspended']);
      expect((await untilDelivery(world, 'free', 'cancelled')).sent_at).toBeNull();

      world.clock.moveTo('2030-01-16T09:00:30.000Z');
      await openRoom(world);
      await eventually(() => expect(instant(world)).toHaveLength(2));
      expect(await statuses(world)).toEqual(['closed', 'open']);
      await eventually(() => expect(titleOf(world)).toBe('Pokemon Center UK: the waiting room has closed'));
    }));
});

describe.concurrent('stop', () => {
  it('during a slow check lets it look, but opens nothing', () =>
    inWorld({}, async (world) => {
      await start(world);
      world.sandbox.shop.show('imperva-room', { delayMs: 1_000 });
      await eventually(async () =>
        expect((await readDaemonStatus(world.db, world.clock.now())).online).toBe(true),
      );
      const { db, queues, redisUrl, clock } = world;
      const asked = requestCheck({ db, queues, redisUrl, clock });
      await eventually(() => expect(world.sandbox.shop.requests().length).toBeGreaterThan(0));
      await stop(world);
      expect((await asked)?.queue_detected).toBe(true);
      expect(await statuses(world)).toEqual([]);
      expect(instant(world)).toEqual([]);
    }));

  it('pauses an open alert, and start takes it up again', () =>
    inWorld({ webhooks: ['instant'] }, async (world) => {
      await start(world);
      await openRoom(world);
      await untilDelivery(world, 'instant', 'sent');
      await stop(world);
      await eventually(() => expect(titleOf(world)).toBe('Pokemon Center UK: monitoring is paused'));
      world.clock.advance(MINUTE);
      await start(world);
      await openRoom(world);
      await eventually(() => expect(titleOf(world)).toBe('Pokemon Center UK: the waiting room is open'));
      expect(requestsOf(world, 'instant', 'POST')).toHaveLength(1);
      expect(await statuses(world)).toEqual(['open']);
    }));

  it('and start change nothing the second time, and every change is on record', () =>
    inWorld({}, async (world) => {
      expect([await start(world), await start(world)].map((result) => result.changed)).toEqual([true, false]);
      expect([await stop(world), await stop(world)].map((result) => result.changed)).toEqual([true, false]);
      const audit = await world.db
        .selectFrom('audit_log')
        .select(['action', 'actor_id'])
        .where('action', 'in', ['monitor.start', 'monitor.stop'])
        .orderBy('created_at')
        .execute();
      expect(audit).toEqual([
        { action: 'monitor.start', actor_id: null },
        { action: 'monitor.stop', actor_id: null },
      ]);
    }));
});

describe.concurrent('challenges and blocks', () => {
  it('double the pause of scheduled checks up to 150 seconds, until a conclusive verdict ends it', () =>
    inWorld({}, async (world) => {
      world.sandbox.shop.show('bot-wall');
      const pauses: number[] = [];
      for (let look = 0; look < 3; look += 1) {
        await world.check();
        pauses.push((await readNotBefore(world)) ?? 0);
      }
      for (const [index, seconds] of [120, 150, 150].entries()) {
        expect(pauses[index]).toBeGreaterThan((seconds - 10) * SECOND);
        expect(pauses[index]).toBeLessThanOrEqual(seconds * SECOND);
      }
      // A fault that is no refusal neither adds to the pause nor begins the count anew.
      world.sandbox.shop.show('error');
      await world.check();
      expect((await readWatch(world.db)).refusals_in_row).toBe(3);
      world.sandbox.shop.show('open');
      await world.check();
      expect(await readWatch(world.db)).toMatchObject({ refusals_in_row: 0, not_before: null });
    }));

  it('keep scheduled checks away meanwhile, but not one by hand', () =>
    inWorld({}, async (world) => {
      world.sandbox.shop.show('bot-wall');
      await world.check();
      await world.start();
      await world.db
        .updateTable('watches')
        .set({ not_before: new Date(world.clock.now() + 2 * MINUTE).toISOString() })
        .execute();
      const job = await world.queues.monitor.add(
        'check',
        { trigger: 'schedule' },
        { removeOnComplete: false },
      );
      await eventually(async () => expect(await job.isCompleted()).toBe(true));
      const finished = await world.queues.monitor.getJob(job.id ?? '');
      expect(finished?.returnvalue).toEqual({ skipped: 'pausing after a challenge or block' });
      const before = world.sandbox.shop.requests().length;
      await world.check();
      expect(world.sandbox.shop.requests()).toHaveLength(before + 1);
    }));
});

describe.concurrent('what must not stop the monitor', () => {
  it('junk in a stored setting gives way to the default and is named', () =>
    inWorld({}, async (world) => {
      const store = (changes: { hours: string } | { interval_seconds: number }) =>
        world.db.updateTable('watches').set(changes).execute();
      await store({ hours: '21-9' });
      await world.db
        .insertInto('monitor_settings')
        .values({ setting_key: 'scrappey_daily_limit', setting_value: '-1', updated_at: '' })
        .execute();
      // Of the interval the database itself takes nothing else.
      for (const interval_seconds of [0, 14, 3601, 'soon' as unknown as number])
        await expect(store({ interval_seconds })).rejects.toMatchObject({
          code: expect.stringMatching(/^SQLITE_CONSTRAINT/) as string,
        });
      expect(await readMonitorSettings(world.db)).toEqual({
        intervalSeconds: 60,
        hours: { from: 9, to: 21 },
        timeZone: 'Europe/London',
        scrappeyDailyLimit: 0,
      });
      expect((await listMonitorSettings(world.db)).broken.sort()).toEqual([
        'monitoring_hours',
        'scrappey_daily_limit',
      ]);
      await openRoom(world);
      await eventually(() => expect(instant(world)).toHaveLength(1));
    }));

  it('a clock that is set back by an hour: it beats, checks and closes as before', () =>
    inWorld({ webhooks: ['instant'] }, async (world) => {
      await openRoom(world);
      await untilDelivery(world, 'instant', 'sent');
      world.clock.advance(-HOUR);
      await eventually(async () => {
        const status = await readDaemonStatus(world.db, world.clock.now());
        expect(status.online).toBe(true);
      });
      const visits = world.sandbox.shop.requests().length;
      await closeRoom(world);
      // Real looks, not the stored result of a check from the future.
      expect(world.sandbox.shop.requests()).toHaveLength(visits + 2);
      await eventually(() => expect(titleOf(world)).toBe('Pokemon Center UK: the waiting room has closed'));
    }));
});
