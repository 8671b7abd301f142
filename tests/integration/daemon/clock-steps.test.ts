import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fromIso, HOUR, MINUTE, SECOND, toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { asDatabaseClock } from '#shared/database/database-clock';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import { addMail, mailOutbox } from '#shared/mail/mails';
import { memberOutbox } from '#shared/member-alerts/member-outbox';
import { takeCheckLease } from '#shared/monitor/checks/check-lease';
import { createClockSteps } from '#shared/monitor/clock-steps';
import { writeHeartbeat, readDaemonStatus, type DaemonInstance } from '#shared/monitor/heartbeat';
import { startMonitoring, stopMonitoring } from '#shared/monitor/start-stop';
import { watchMonitor } from '#shared/monitor/watchdog';
import { readWatch } from '#shared/monitor/watches/watches';
import { OUTBOXES } from '#shared/outbox/outboxes';
import { createDaemonSuite, type DaemonSuite } from '../daemon-suite';
import { createTestDatabase, type TestDatabase } from '../database';
import { openRoom, readDelivery } from '../alerts/delivery-fixture';
import { eventually } from '../monitor/monitor-fixture';

type Step = [name: string, ms: number];
const STEPS: Step[] = [
  ['an hour back', -HOUR],
  ['two minutes back', -2 * MINUTE],
  ['two minutes ahead', 2 * MINUTE],
  ['an hour ahead', HOUR],
];

const NOON = Date.parse('2027-01-15T12:00:00.000Z');
const adminContacts = { emails: ['ada@packwatch.test'] };
const actor = { userId: null };
const logger = pino({ level: 'silent' });

/** Adds a member and a test mail to them. */
async function addMemberDelivery(
  db: Database,
  { dueAt, expiresAt, now }: { dueAt: number; expiresAt: number; now: number },
): Promise<void> {
  const [id, stamp] = [newId(), toIso(now)];
  await db
    .insertInto('users')
    .values({ id, email: 'ann@example.org', username: 'Ann', created_at: stamp, updated_at: stamp })
    .execute();
  await db
    .insertInto('member_deliveries')
    .values({
      ...memberOutbox.newRow({ dueAt, expiresAt, owner: null, now }),
      user_id: id,
      channel: 'email',
      target: id,
    })
    .execute();
}

it('the list of outboxes has every table whose rows are claimed', async () => {
  const test = await createTestDatabase();
  try {
    const tables = await test.db.introspection.getTables();
    // On PostgreSQL the schema `migrated` of these tests has them, too.
    const claimed = tables.filter(
      ({ columns, schema }) => schema !== 'migrated' && columns.some(({ name }) => name === 'claimed_until'),
    );
    const listed = Object.values(OUTBOXES).map(({ table }) => table);
    expect(listed.toSorted()).toEqual(claimed.map(({ name }) => name).toSorted());
  } finally {
    await test.cleanup();
  }
});

describe.each(STEPS)('when the clock is set %s, in the database', (_name, step) => {
  let test: TestDatabase;
  let wall: number;
  let elapsed: number;
  let instance: DaemonInstance;
  const clock = asDatabaseClock({ now: () => wall, uptime: () => elapsed });
  const pass = (ms: number): void => {
    wall += ms;
    elapsed += ms;
  };
  /** Two processes, such as web and daemon. */
  let handleStep: () => Promise<unknown>;

  beforeEach(async () => {
    test = await createTestDatabase();
    wall = NOON;
    elapsed = 7 * HOUR;
    instance = {
      id: 'daemon',
      host: 'here',
      bootId: null,
      pidNamespace: null,
      pid: 1,
      startedAt: wall - 10 * MINUTE,
    };
    const [web, daemon] = [
      createClockSteps({ db: test.db, clock, logger }),
      createClockSteps({ db: test.db, clock, logger }),
    ];
    handleStep = () => Promise.all([web.handleStep(), daemon.handleStep()]);
    await writeHeartbeat(test.db, { instance, redisFault: null, now: wall });
    await startMonitoring(test.db, { actor, clock });
  });
  afterEach(() => test.cleanup());

  const kinds = async (): Promise<string[]> =>
    (await test.db.selectFrom('admin_notices').select('kind').execute()).map(({ kind }) => kind);

  it('the watchdog reports a silence after five minutes, neither earlier nor later', async () => {
    pass(4 * MINUTE);
    wall += step;
    await handleStep();
    await writeHeartbeat(test.db, { instance, redisFault: null, now: wall });
    pass(MINUTE - 1);
    await writeHeartbeat(test.db, { instance, redisFault: null, now: wall });
    await watchMonitor(test.db, { adminContacts, now: wall });
    expect(await kinds()).toEqual([]);
    pass(1);
    await watchMonitor(test.db, { adminContacts, now: wall });
    expect(await kinds()).toEqual(['silence_began']);
  });

  it('a dead daemon is reported after a minute, and a running one counts as online at once', async () => {
    pass(30 * SECOND);
    await writeHeartbeat(test.db, { instance, redisFault: null, now: wall });
    wall += step;
    await handleStep();
    expect(await readDaemonStatus(test.db, wall)).toMatchObject({ online: true });
    pass(MINUTE - 1);
    await watchMonitor(test.db, { adminContacts, now: wall });
    expect(await kinds()).toEqual([]);
    pass(1);
    await watchMonitor(test.db, { adminContacts, now: wall });
    expect(await kinds()).toEqual(['daemon_gone']);
  });

  it('the due time of a mail, its claim and the check lease keep their durations', async () => {
    const { db } = test;
    const { id } = await inTransaction(db, (trx) =>
      addMail(
        trx,
        { to: 'ann@example.org', template: 'already_registered', expiresAt: wall + HOUR },
        wall + 20 * SECOND,
      ),
    );
    expect(await takeCheckLease(db, { owner: 'one', clock })).not.toBeNull();
    wall += step;
    await handleStep();
    expect(await mailOutbox.listDue(db, { now: wall })).toEqual([]);
    pass(20 * SECOND);
    expect(await mailOutbox.listDue(db, { now: wall })).toMatchObject([{ id }]);
    expect(await mailOutbox.claim(db, { ids: [id], owner: 'one', now: wall })).toHaveLength(1);
    wall += step;
    await handleStep();
    expect(await takeCheckLease(db, { owner: 'another', clock })).toBeNull();
    pass(39 * SECOND);
    expect(await takeCheckLease(db, { owner: 'another', clock })).toBeNull();
    expect(await mailOutbox.claim(db, { ids: [id], owner: 'another', now: wall })).toEqual([]);
    pass(SECOND);
    expect(await takeCheckLease(db, { owner: 'another', clock })).not.toBeNull();
    pass(2 * MINUTE);
    expect(await mailOutbox.claim(db, { ids: [id], owner: 'another', now: wall })).toHaveLength(1);
  });

  it('the deliveries to members keep their due times, claims and expiry', async () => {
    const { db } = test;
    await addMemberDelivery(db, { dueAt: wall + 20 * SECOND, expiresAt: wall + 10 * MINUTE, now: wall });
    const claim = async () => {
      const only = { channel: 'email' as const };
      const free = await memberOutbox.listDue(db, { now: wall, only });
      return memberOutbox.claim(db, { ids: free.map(({ id }) => id), owner: 'one', now: wall });
    };
    wall += step;
    await handleStep();
    expect(await claim()).toEqual([]);
    pass(20 * SECOND);
    const [row] = await claim();
    expect(row?.attempts).toBe(1);
    expect(fromIso(row?.expires_at ?? '') - wall).toBe(10 * MINUTE - 20 * SECOND);
    wall += step;
    await handleStep();
    pass(2 * MINUTE);
    expect(await claim()).toEqual([]);
    pass(SECOND);
    expect((await claim())[0]?.attempts).toBe(2);
  });

  it('the step is applied once by several processes, and small corrections only to due times', async () => {
    await stopMonitoring(test.db, { actor, clock });
    const read = async (): Promise<number> =>
      fromIso(
        (await test.db.selectFrom('watches').select('stopped_at').executeTakeFirstOrThrow()).stopped_at ?? '',
      );
    const before = await read();
    wall += step;
    await handleStep();
    await handleStep();
    expect(await read()).toBe(before + step);
    pass(10 * MINUTE);
    wall -= SECOND;
    await handleStep();
    expect(await read()).toBe(before + step);
    wall -= step;
    await handleStep();
    expect(await read()).toBe(before);
  });
});

describe('small steps of the clock', () => {
  let test: TestDatabase;
  let wall: number;
  let elapsed: number;
  let steps: { handleStep(): Promise<void> }[];
  const clock = asDatabaseClock({
    now: () => Math.floor(wall),
    uptime: () => Math.floor(elapsed / 10) * 10,
  });
  const pass = (ms: number): void => {
    wall += ms;
    elapsed += ms;
  };
  const handleStep = async (): Promise<void> => {
    for (const process of steps) await process.handleStep();
  };

  beforeEach(async () => {
    test = await createTestDatabase();
    wall = NOON;
    elapsed = 7 * HOUR + 3;
    steps = [1, 2].map(() => createClockSteps({ db: test.db, clock, logger }));
    await startMonitoring(test.db, { actor, clock });
    await handleStep();
  });
  afterEach(() => test.cleanup());

  /** Adds a mail that is due in 30 seconds. */
  const addDue = () =>
    inTransaction(test.db, (trx) =>
      addMail(
        trx,
        { to: 'ann@example.org', template: 'already_registered', expiresAt: wall + HOUR },
        Math.floor(wall) + 30 * SECOND,
      ),
    );
  /** The milliseconds until the mail is due. */
  const dueIn = async (): Promise<number> =>
    fromIso((await test.db.selectFrom('mails').select('due_at').executeTakeFirstOrThrow()).due_at) - wall;
  /** How far a time that is no due time was moved. */
  const movedBy = async (): Promise<number> => fromIso((await readWatch(test.db)).started_at ?? '') - NOON;

  it.each([4.9, -4.9, 0.5, -0.5, 1, -1])('a step of %d s leaves a due time where it was', async (seconds) => {
    await addDue();
    pass(10 * SECOND);
    wall += seconds * SECOND;
    await handleStep();
    expect(Math.abs((await dueIn()) - 20 * SECOND)).toBeLessThanOrEqual(20);
  });

  it('steps that add up are followed one by one, in whatever portions processes notice them', async () => {
    await addDue();
    for (let second = 1; second <= 20; second += 1) {
      pass(SECOND);
      wall += 800;
      // The second process looks at every third second only.
      await steps[0]?.handleStep();
      if (second % 3 === 0) await steps[1]?.handleStep();
      expect(Math.abs((await dueIn()) - (30 - second) * SECOND)).toBeLessThanOrEqual(60);
    }
    await handleStep();
    // The other times follow every five seconds of steps.
    expect(Math.abs((await movedBy()) - 16 * SECOND)).toBeLessThan(5 * SECOND);
  });

  it('a process that starts after a step does not follow it again', async () => {
    await addDue();
    wall += 3 * SECOND;
    const late = createClockSteps({ db: test.db, clock, logger });
    await late.handleStep();
    await handleStep();
    await late.handleStep();
    expect(Math.abs((await dueIn()) - 30 * SECOND)).toBeLessThanOrEqual(20);
    pass(MINUTE);
    wall -= 3 * SECOND;
    await late.handleStep();
    await handleStep();
    expect(Math.abs((await dueIn()) + 30 * SECOND)).toBeLessThanOrEqual(40);
  });

  it('slow corrections by NTP move nothing', async () => {
    await addDue();
    const before = await dueIn();
    // 500 ppm, the most that adjtimex(2) allows.
    for (let second = 0; second < 600; second += 1) {
      pass(SECOND);
      wall += 0.5;
      await handleStep();
    }
    expect(Math.round((await dueIn()) + 600 * SECOND + 300)).toBe(before);
  });
});

// All at a time: they mostly wait for the free alert.
describe('a running daemon whose clock is set', { timeout: 6 * MINUTE }, () => {
  const steps: Step[] = [...STEPS, ['4.9 seconds ahead', 4.9 * SECOND]];
  let suite: DaemonSuite;
  beforeAll(async () => {
    suite = await createDaemonSuite();
  });
  afterAll(() => suite.close());

  it.concurrent.each(steps)('%s continues to check and sends the free alert at its time', (_name, step) =>
    suite.run(async ({ fixture, startDaemon }) => {
      await fixture.writeSetting('check_interval_seconds', '15');
      const daemon = await startDaemon({ settableClock: true });
      await fixture.startMonitoring();
      const scheduled = async (): Promise<number> =>
        (
          await fixture.db
            .selectFrom('monitor_checks')
            .select('id')
            .where('trigger', '=', 'schedule')
            .execute()
        ).length;
      await eventually(async () => expect(await scheduled()).toBeGreaterThan(0));
      await openRoom(fixture);
      const { created_at } = await readDelivery(fixture, 'free');
      const openedAt = Date.now() - (fixture.clock.now() - fromIso(created_at));
      daemon.setClock(step);
      fixture.clock.set(step);
      const afterStep = toIso(fixture.clock.now());
      const before = await scheduled();

      await eventually(() => expect(fixture.sandbox.discord.messages('free')).toHaveLength(1), 2 * MINUTE);
      const waited = (fixture.sandbox.discord.messages('free')[0]?.receivedAt ?? 0) - openedAt;
      expect(waited).toBeGreaterThanOrEqual(30 * SECOND - 1);
      // The step is noticed within a second; the daemon loop sends due work until the queue's timers follow.
      // Without it the alert would come two minutes or an hour late, or before its time.
      expect(waited).toBeLessThan(90 * SECOND);
      expect(await readDaemonStatus(fixture.db, fixture.clock.now())).toMatchObject({ online: true });
      // One may have begun before the step.
      await eventually(async () => expect(await scheduled()).toBeGreaterThan(before + 1), 2 * MINUTE);
      expect(
        (await fixture.db.selectFrom('watches').select('last_checked_at').executeTakeFirstOrThrow())
          .last_checked_at,
      ).toSatisfy((time: string) => time >= afterStep);
      expect(fixture.sandbox.discord.messages('instant')).toHaveLength(1);
    }),
  );
});
