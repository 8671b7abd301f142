import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '#shared/clock';
import { codeOf, isConstraintError } from '#shared/database/database-errors';
import { readWatch } from '#shared/monitor/watches/watches';
import { readDaemonStatus } from '#shared/monitor/heartbeat';
import { listMonitorSettings, readMonitorSettings } from '#shared/monitor/monitor-settings';
import { readMonitorStatus } from '#shared/monitor/read-status.server';
import { requestCheck } from '#shared/monitor/checks/requests/daemon-request.server';
import { startMonitoring, stopMonitoring } from '#shared/monitor/start-stop';
import { closeRoom, withDaemon, openRoom, requestsOf, untilDelivery } from '../alerts/delivery-fixture';
import { eventually, type MonitorFixture } from './monitor-fixture';

const actor = { userId: null };
const instant = (fixture: MonitorFixture) => fixture.sandbox.discord.messages('instant');
const titleOf = (fixture: MonitorFixture) => instant(fixture)[0]?.embeds[0]?.title;
const start = (fixture: MonitorFixture) => startMonitoring(fixture.db, { actor, clock: fixture.clock });
const stop = (fixture: MonitorFixture) => stopMonitoring(fixture.db, { actor, clock: fixture.clock });

/** Moves the clock forward until the daemon's next heartbeat is overdue. */
const letHeartbeatComeDue = (fixture: MonitorFixture) => fixture.clock.advance(9 * SECOND);

const statuses = async (fixture: MonitorFixture) =>
  (await fixture.db.selectFrom('alerts').select('status').orderBy('opened_at').execute()).map(
    (row) => row.status,
  );

const readNotBefore = async (fixture: MonitorFixture): Promise<number | null> => {
  const { not_before: notBefore } = await readWatch(fixture.db);
  return notBefore === null ? null : Date.parse(notBefore) - fixture.clock.now();
};

// Not beside the others: the room has to be seen within twelve seconds.
describe('the end of the monitoring hours', () => {
  it('pauses an open alert without closing it, and a room the next morning is a new alert', () =>
    withDaemon({}, async (fixture) => {
      await fixture.writeSetting('monitoring_hours', '9-21');
      // A winter evening, when London has UTC, in a year after that of any test run.
      fixture.clock.moveTo('2030-01-15T20:50:00.000Z');
      await fixture.startMonitoring();
      await fixture.check();
      // The free message is due thirty seconds later, after the end of the hours.
      fixture.clock.moveTo('2030-01-15T20:59:48.000Z');
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'sent');
      fixture.clock.moveTo('2030-01-15T21:00:01.000Z');
      letHeartbeatComeDue(fixture);
      await eventually(() => expect(titleOf(fixture)).toBe('Pokemon Center UK: monitoring is paused'));
      expect(await statuses(fixture)).toEqual(['suspended']);
      expect((await untilDelivery(fixture, 'free', 'cancelled')).sent_at).toBeNull();

      fixture.clock.moveTo('2030-01-16T09:00:30.000Z');
      await openRoom(fixture);
      await eventually(() => expect(instant(fixture)).toHaveLength(2));
      expect(await statuses(fixture)).toEqual(['closed', 'open']);
      await eventually(() => expect(titleOf(fixture)).toBe('Pokemon Center UK: no longer seen'));
    }));
});

describe.concurrent('stop', () => {
  it('during a slow check lets it finish, but opens no alert', () =>
    withDaemon({}, async (fixture) => {
      await start(fixture);
      fixture.sandbox.shop.show('imperva-room', { delayMs: 1_000 });
      await eventually(async () =>
        expect((await readDaemonStatus(fixture.db, fixture.clock.now())).online).toBe(true),
      );
      const { db, queues, redisUrl, clock } = fixture;
      const checking = requestCheck({ db, queues, redisUrl, clock });
      await eventually(() => expect(fixture.sandbox.shop.requests().length).toBeGreaterThan(0));
      await stop(fixture);
      expect((await checking)?.queue_detected).toBe(true);
      expect(await statuses(fixture)).toEqual([]);
      expect(instant(fixture)).toEqual([]);
    }));

  it('pauses an open alert, and start reopens it', () =>
    withDaemon({ webhooks: ['instant'] }, async (fixture) => {
      await start(fixture);
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'sent');
      await stop(fixture);
      await eventually(() => expect(titleOf(fixture)).toBe('Pokemon Center UK: monitoring is paused'));
      fixture.clock.advance(MINUTE);
      await start(fixture);
      await openRoom(fixture);
      await eventually(() => expect(titleOf(fixture)).toBe('Pokemon Center UK: the waiting room is open'));
      expect(requestsOf(fixture, 'instant', 'POST')).toHaveLength(1);
      expect(await statuses(fixture)).toEqual(['open']);
    }));

  it('and start change nothing when repeated, and every change has an audit row', () =>
    withDaemon({}, async (fixture) => {
      expect([await start(fixture), await start(fixture)].map((result) => result.changed)).toEqual([
        true,
        false,
      ]);
      expect([await stop(fixture), await stop(fixture)].map((result) => result.changed)).toEqual([
        true,
        false,
      ]);
      const audit = await fixture.db
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
  it('double the delay of scheduled checks up to 150 seconds, until a conclusive verdict resets it', () =>
    withDaemon({}, async (fixture) => {
      fixture.sandbox.shop.show('bot-wall');
      const pauses: number[] = [];
      for (let count = 0; count < 3; count += 1) {
        await fixture.check();
        pauses.push((await readNotBefore(fixture)) ?? 0);
      }
      for (const [index, seconds] of [120, 150, 150].entries()) {
        expect(pauses[index]).toBeGreaterThan((seconds - 10) * SECOND);
        expect(pauses[index]).toBeLessThanOrEqual(seconds * SECOND);
      }
      // A fault other than a refusal neither extends nor resets the delay.
      fixture.sandbox.shop.show('error');
      await fixture.check();
      expect((await readWatch(fixture.db)).refusals_in_row).toBe(3);
      fixture.sandbox.shop.show('open');
      await fixture.check();
      expect(await readWatch(fixture.db)).toMatchObject({ refusals_in_row: 0, not_before: null });
    }));

  it('delay scheduled checks, but not a manual one', () =>
    withDaemon({}, async (fixture) => {
      fixture.sandbox.shop.show('bot-wall');
      await fixture.check();
      await fixture.startMonitoring();
      await fixture.db
        .updateTable('watches')
        .set({ not_before: new Date(fixture.clock.now() + 2 * MINUTE).toISOString() })
        .execute();
      const job = await (
        await fixture.queues.open('monitor')
      ).add('check', { trigger: 'schedule' }, { removeOnComplete: false });
      await eventually(async () => expect(await job.isCompleted()).toBe(true));
      const finished = await (await fixture.queues.open('monitor')).getJob(job.id ?? '');
      expect(finished?.returnvalue).toEqual({ skipped: 'pausing after a challenge or block' });
      const before = fixture.sandbox.shop.requests().length;
      await fixture.check();
      expect(fixture.sandbox.shop.requests()).toHaveLength(before + 1);
    }));
});

describe.concurrent('a pause that the shop asks for', () => {
  it('is kept outside the monitoring hours, and only noted inside them', () =>
    withDaemon({}, async (fixture) => {
      const note = async (): Promise<unknown> => (await fixture.check()).content_analysis;
      fixture.sandbox.shop.show('error', { retryAfter: '3600' });
      expect(await note()).toMatchObject({ retryAfterSeconds: 3600 });
      expect(await readNotBefore(fixture)).toBeNull();
      fixture.sandbox.shop.show('bot-wall', { retryAfter: '3600' });
      expect(await note()).toMatchObject({ retryAfterSeconds: 3600 });
      expect(await readNotBefore(fixture)).toBeLessThanOrEqual(150 * SECOND);

      await fixture.writeSetting('monitoring_hours', '9-21');
      fixture.clock.moveTo('2030-01-15T22:00:00.000Z');
      expect(await note()).toMatchObject({ retryAfterSeconds: 3600 });
      const pause = (await readNotBefore(fixture)) ?? 0;
      expect(pause).toBeGreaterThan(59 * MINUTE);
      expect(pause).toBeLessThanOrEqual(HOUR);
      fixture.sandbox.shop.show('open');
      expect(await note()).not.toHaveProperty('retryAfterSeconds');
      expect(await readNotBefore(fixture)).toBeNull();
    }));
});

describe.concurrent('the first check of a window', () => {
  it('is made when the hours begin, also with an hour between two checks', () =>
    withDaemon({}, async (fixture) => {
      await fixture.writeSetting('monitoring_hours', '20-2');
      await fixture.writeSetting('check_interval_seconds', '3600');
      fixture.clock.moveTo('2030-01-15T19:00:00.000Z');
      await fixture.startMonitoring();
      await fixture.check();
      const next = await eventually(async () => {
        const { scheduler } = await readMonitorStatus(fixture.db, fixture.clock);
        expect(scheduler.nextCheck).not.toBeNull();
        return scheduler.nextCheck;
      });
      // An interval after the check by hand, soon after the start of the hours.
      expect(next).toMatch(/^2030-01-15T20:0/);
      fixture.clock.moveTo('2030-01-15T20:02:00.000Z');
      letHeartbeatComeDue(fixture);
      await eventually(async () =>
        expect((await readWatch(fixture.db)).last_checked_at).toMatch(/^2030-01-15T20:0/),
      );
    }));
});

describe.concurrent('conditions that do not stop the monitor', () => {
  it('an invalid stored setting is replaced by its default and reported', () =>
    withDaemon({}, async (fixture) => {
      const store = (changes: { hours: string } | { interval_seconds: number }) =>
        fixture.db.updateTable('watches').set(changes).execute();
      await store({ hours: '9-9' });
      await fixture.db
        .insertInto('monitor_settings')
        .values({ setting_key: 'scrappey_daily_limit', setting_value: '-1', updated_at: '' })
        .execute();
      // The database rejects every other value of the interval.
      for (const interval_seconds of [0, 14, 3601, 'soon' as unknown as number])
        await expect(store({ interval_seconds })).rejects.toSatisfy(
          // PostgreSQL refuses a text in a column of numbers before it looks at the constraint (22P02).
          (error) => isConstraintError(error) || codeOf(error) === '22P02',
        );
      expect(await readMonitorSettings(fixture.db, await readWatch(fixture.db))).toEqual({
        intervalSeconds: 60,
        hours: { from: 9, to: 21 },
        timeZone: 'Europe/London',
        scrappeyDailyLimit: 0,
      });
      expect((await listMonitorSettings(fixture.db)).broken.sort()).toEqual([
        'monitoring_hours',
        'scrappey_daily_limit',
      ]);
      await openRoom(fixture);
      await eventually(() => expect(instant(fixture)).toHaveLength(1));
    }));

  it('a clock that is set back by an hour does not stop heartbeats, checks and alert closing', () =>
    withDaemon({ webhooks: ['instant'] }, async (fixture) => {
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'sent');
      fixture.clock.advance(-HOUR);
      await eventually(async () => {
        const status = await readDaemonStatus(fixture.db, fixture.clock.now());
        expect(status.online).toBe(true);
      });
      const visits = fixture.sandbox.shop.requests().length;
      await closeRoom(fixture);
      // New fetches, not the stored result of a check from the future.
      expect(fixture.sandbox.shop.requests()).toHaveLength(visits + 2);
      await eventually(() => expect(titleOf(fixture)).toBe('Pokemon Center UK: the waiting room has closed'));
    }));
});
