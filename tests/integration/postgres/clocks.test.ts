import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '#shared/clock';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { findClockFault, requireNearClock, type DatabaseClock } from '#shared/database/database-clock';
import { createServerClock } from '#shared/database/postgres/server-clock';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import { machineClock } from '#shared/machine-clock.server';
import { addMail, mailOutbox } from '#shared/mail/mails';
import { returnCheckLease, takeCheckLease } from '#shared/monitor/checks/check-lease';
import { createDaemonSuite, type DaemonSuite, type StartedDaemon } from '../daemon-suite';
import { createTestDatabase, type TestDatabase } from '../database';
import { startChild } from '../child-process';
import { freePort } from '../../free-port';
import { FLAPPING, requestsOf, untilDelivery } from '../alerts/delivery-fixture';

/** How far the clocks of the machines are ahead. */
const AHEAD = [-5 * SECOND, 5 * SECOND, 25 * SECOND];
const ROUNDS = Number(process.env.PACKWATCH_ROUNDS ?? 1);

interface Machine {
  db: Database;
  clock: DatabaseClock;
  /** Sets its wall clock. */
  set(aheadMs: number): void;
  /** Its uptime includes this much sleep. */
  sleep(ms: number): void;
}

describe('machines whose clocks differ', () => {
  let test: TestDatabase;
  let machines: Machine[];

  beforeEach(async () => {
    test = await createTestDatabase();
    machines = AHEAD.map((by) => {
      const db = openDatabase(test.config);
      let [aheadMs, sleptMs] = [by, 0];
      const machine = {
        now: () => Date.now() + aheadMs,
        uptime: () => machineClock.uptime() + sleptMs,
      };
      return {
        db,
        clock: createServerClock(db, machine),
        set: (ms) => (aheadMs = ms),
        sleep: (ms) => (sleptMs += ms),
      };
    });
    for (const { clock } of machines) await clock.start();
  });
  afterEach(async () => {
    for (const { db, clock } of machines) {
      await clock.stop();
      await db.destroy();
    }
    await test.cleanup();
  });

  /** The time of the server, which is on this machine, within the error of a measurement. */
  const expectServerTime = (now: number) => expect(Math.abs(now - Date.now())).toBeLessThan(3 * SECOND);

  it('read one time, that of the database, also when one of them is set by an hour', () => {
    for (const { clock } of machines) expectServerTime(clock.now());
    machines[0]?.set(HOUR);
    expectServerTime(machines[0]?.clock.now() ?? 0);
  });

  it('measure again when they have slept', async () => {
    const [{ db, clock, sleep }] = machines as [Machine];
    await clock.stop();
    // Every later measurement fails.
    await db.destroy();
    await clock.catchUp?.();
    sleep(HOUR);
    await expect(clock.catchUp?.()).rejects.toThrow();
  });

  it('report a difference of two seconds or more, and start no daemon from thirty seconds', () => {
    const [{ clock, set }] = machines as [Machine];
    expect(findClockFault(clock)).toMatch(
      /^The clock of this machine is \d\.\d seconds behind the database's: correct it \(NTP\)\./,
    );
    expect(() => requireNearClock(clock)).not.toThrow();
    set(40 * SECOND);
    expect(() => requireNearClock(clock)).toThrow(/seconds ahead of the database's.* no daemon starts\.$/);
    set(0);
    expect(findClockFault(clock)).toBeNull();
  });

  it('take neither the lease of a running check nor the claim of a message from each other', async () => {
    for (let round = 0; round < ROUNDS; round += 1)
      for (const holder of machines) {
        const others = machines.filter((machine) => machine !== holder);
        const { clock } = holder;
        const lease = await takeCheckLease(holder.db, { owner: 'holder', clock });
        const mail = {
          to: 'ann@example.org',
          template: 'already_registered',
          expiresAt: clock.now() + HOUR,
        } as const;
        const { id } = await inTransaction(holder.db, (trx) => addMail(trx, mail, clock.now() - SECOND));
        const claim = (machine: Machine) =>
          mailOutbox.claim(machine.db, { ids: [id], owner: newId(), now: machine.clock.now() });
        expect(await claim(holder)).toHaveLength(1);
        holder.set(round % 2 === 0 ? HOUR : -HOUR);
        for (const other of others) {
          expect(await takeCheckLease(other.db, { owner: 'other', clock: other.clock })).toBeNull();
          expect(await claim(other)).toEqual([]);
        }
        await returnCheckLease(holder.db, lease?.lease_token ?? 0);
      }
  });
});

describe('daemons of machines whose clocks differ', { timeout: 2 * ROUNDS * MINUTE + 5 * MINUTE }, () => {
  let suite: DaemonSuite;
  beforeAll(async () => {
    suite = await createDaemonSuite();
  });
  afterAll(() => suite.close());

  const readHealth = async ({ port }: StartedDaemon) =>
    (await (await fetch(`http://127.0.0.1:${port}/healthz`)).json()) as Record<string, unknown>;

  it('check one after the other, send each alert once and move no time, also when one clock is set by an hour', async () => {
    for (let round = 0; round < ROUNDS; round += 1)
      await suite.run(async ({ fixture, startDaemon }) => {
        await fixture.startMonitoring();
        const started = async () =>
          (await fixture.db.selectFrom('watches').select('started_at').executeTakeFirstOrThrow()).started_at;
        const startedAt = await started();
        const daemons: StartedDaemon[] = [];
        for (const clockAheadMs of AHEAD) daemons.push(await startDaemon({ clockAheadMs }));
        for (const daemon of daemons)
          expect(await readHealth(daemon)).toMatchObject({
            ok: true,
            status: 'degraded',
            clock: { ok: false },
          });

        const { shop } = fixture.sandbox;
        shop.play(FLAPPING.map((mode) => ({ mode, delayMs: 120 })));
        for (let pairs = 0; shop.requests().length < FLAPPING.length; pairs += 1) {
          if (pairs === 1) daemons[round % daemons.length]?.setClock(round % 2 === 0 ? HOUR : -HOUR);
          await Promise.all([fixture.check(), fixture.check()]);
        }
        const visits = shop.requests();
        const overlaps = visits.filter(
          (visit, index) => index > 0 && visit.receivedAt < (visits[index - 1]?.answeredAt ?? Infinity),
        );
        expect(overlaps).toEqual([]);
        await untilDelivery(fixture, 'instant', 'sent');
        expect(requestsOf(fixture, 'instant', 'POST')).toHaveLength(1);
        expect(await fixture.db.selectFrom('alerts').select('id').execute()).toHaveLength(1);
        expect(await started()).toBe(startedAt);
      });
  });

  it('of 40 seconds do not start, and say why', () =>
    suite.run(async ({ fixture, program }) => {
      const variables = { ...fixture.environment, DAEMON_PORT: String(await freePort()) };
      const child = startChild([program], variables, { clockAheadMs: 40 * SECOND });
      expect(await child.ended).toEqual({ code: 1, signal: null });
      expect(child.stderr()).toMatch(
        /^The clock of this machine is \d+\.\d seconds ahead of the database's: .* no daemon starts\.\n$/,
      );
    }));
});
