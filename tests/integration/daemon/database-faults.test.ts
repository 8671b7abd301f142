import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OUTBOXES } from '#shared/outbox/outboxes';
import { MINUTE, SECOND, toIso } from '#shared/clock';
import { openDatabase } from '#shared/database/connection.server';
import { isConstraintError, isStorageFault } from '#shared/database/database-errors';
import { newId } from '#shared/ids';
import { recordCheck } from '#shared/monitor/checks/recording/record-check';
import { takeCheckLease } from '#shared/monitor/checks/check-lease';
import type { Judgement } from '#shared/monitor/checks/verdict';
import { createDaemonSuite, type DaemonSuite } from '../daemon-suite';
import { adminTitles, withDaemon, openRoom, requestsOf, untilDelivery } from '../alerts/delivery-fixture';
import { createTestDatabase } from '../database';
import { finishedCheck } from '../alerts/finished-check';
import { eventually, type MonitorFixture } from '../monitor/monitor-fixture';
import { lockDatabase, setReadOnly, usesPostgres } from '../database-faults';

const HOLD_MS = 3 * SECOND;
/** Longer than a transaction waits for the lock. */
const LONG_HOLD_MS = 13 * SECOND;
const instant = (fixture: MonitorFixture) => fixture.sandbox.discord.messages('instant');

/** Holds the write lock for `holdMs`. Resolves once it is held; `released` with the time (epoch ms) of its end. */
async function holdWriteLock(
  { config }: MonitorFixture,
  holdMs = HOLD_MS,
): Promise<{ released: Promise<number> }> {
  const release = await lockDatabase(config.database);
  const releaseInTime = async () => {
    await sleep(holdMs);
    const now = Date.now();
    await release();
    return now;
  };
  return { released: releaseInTime() };
}

describe('a database that another process locks for three seconds', () => {
  it('delays a check, which is stored, and its alert, which is sent', () =>
    withDaemon({ webhooks: ['instant'] }, async (fixture) => {
      await fixture.check();
      const { released } = await holdWriteLock(fixture);
      await openRoom(fixture);
      expect(Date.now()).toBeGreaterThanOrEqual(await released);
      await untilDelivery(fixture, 'instant', 'sent');
      expect(instant(fixture)).toHaveLength(1);
    }));

  it('delays the outcome of a delivery, which is not sent again', () =>
    withDaemon({ webhooks: ['instant'] }, async (fixture) => {
      fixture.sandbox.discord.setFaults('instant', [{ kind: 'delay', ms: 700 }]);
      await openRoom(fixture);
      await holdWriteLock(fixture);
      await untilDelivery(fixture, 'instant', 'sent');
      expect(requestsOf(fixture, 'instant', 'POST')).toHaveLength(1);
    }));
});

describe.concurrent(
  'a database that stays locked for longer than a transaction waits',
  { timeout: 3 * MINUTE },
  () => {
    it('delays a verdict, which is stored without another fetch', () =>
      withDaemon({ webhooks: ['instant'] }, async (fixture) => {
        // On a busy machine the queue may not be ready yet.
        await eventually(() => fixture.check());
        fixture.sandbox.shop.show('imperva-room', { delayMs: SECOND });
        const before = fixture.sandbox.shop.requests().length;
        // Its caller may time out before the lock is released; the check continues.
        fixture.check().catch(() => undefined);
        await eventually(() => expect(fixture.sandbox.shop.requests()).toHaveLength(before + 1));
        await holdWriteLock(fixture, LONG_HOLD_MS);
        await eventually(() => expect(instant(fixture)).toHaveLength(1));
        expect(fixture.sandbox.shop.requests()).toHaveLength(before + 1);
      }));

    it('delays a check that could not start, which runs as soon as possible', () =>
      withDaemon({ webhooks: ['instant'] }, async (fixture) => {
        await eventually(() => fixture.check());
        fixture.sandbox.shop.show('imperva-room');
        await holdWriteLock(fixture, LONG_HOLD_MS);
        fixture.check().catch(() => undefined);
        await eventually(() => expect(instant(fixture)).toHaveLength(1));
      }));

    it('delays the outcome of a delivery, which is not sent again although its claim has expired', () =>
      withDaemon({ webhooks: ['instant'] }, async (fixture) => {
        fixture.sandbox.discord.setFaults('instant', [{ kind: 'delay', ms: 3 * SECOND }]);
        await openRoom(fixture);
        const { released } = await holdWriteLock(fixture, LONG_HOLD_MS);
        await eventually(() => expect(instant(fixture)).toHaveLength(1));
        fixture.clock.advance(OUTBOXES.alerts.claimLifetimeMs);
        const sent = await untilDelivery(fixture, 'instant', 'sent');
        expect(sent.attempts).toBe(1);
        // The time of acceptance, not that of the write.
        const writableAt = (await released) + OUTBOXES.alerts.claimLifetimeMs;
        expect(Date.parse(sent.sent_at ?? '')).toBeLessThan(writableAt);
        expect(requestsOf(fixture, 'instant', 'POST')).toHaveLength(1);
      }));
  },
);

describe('a disk that is full', () => {
  let suite: DaemonSuite;

  beforeAll(async () => {
    suite = await createDaemonSuite();
  });
  afterAll(() => suite.close());

  // The disk of a PostgreSQL server is not the daemon's.
  it.skipIf(usesPostgres())(
    'causes no alert and one warning that needs no database; with free space everything continues',
    () =>
      suite.run(
        async ({ fixture, startDaemon }) => {
          // While this connection reads, the other process cannot truncate the WAL.
          await startDaemon({ largestFile: statSync(fixture.file).size + 256 * 1024 });
          await eventually(() => expect(fixture.check()).rejects.toMatchObject({ code: 'check_failed' }));
          fixture.sandbox.shop.show('imperva-room');
          await expect(fixture.check()).rejects.toMatchObject({ code: 'check_failed' });
          await eventually(() => expect(adminTitles(fixture)).toEqual(['The database cannot be written']));
          expect(instant(fixture)).toEqual([]);
          expect(await fixture.db.selectFrom('alerts').select('id').execute()).toEqual([]);

          await sql`pragma wal_checkpoint(truncate)`.execute(fixture.db);
          await openRoom(fixture);
          await untilDelivery(fixture, 'instant', 'sent');
          expect(instant(fixture)).toHaveLength(1);
          expect(adminTitles(fixture)).toHaveLength(1);
        },
        ['instant', 'admin'],
      ),
  );
});

describe('a database that is read-only', () => {
  it('fails to record a check with a storage fault, and nothing of it is stored', async () => {
    const { db, config, cleanup } = await createTestDatabase();
    const other = openDatabase(config);
    try {
      const clock = { now: () => Date.parse('2027-01-15T12:00:00.000Z') };
      const startedAt = clock.now();
      const leaseToken = (await takeCheckLease(other, { owner: 'test', clock }))?.lease_token ?? 0;
      await setReadOnly(other, true);
      const recorder = { db: other, clock, adminContacts: { emails: [] }, sender: null };
      const room: Judgement = {
        verdict: 'waiting_room',
        strength: 'strong',
        unknownReason: null,
        reason: 'a frame',
        signs: [],
      };
      const check = finishedCheck({ startedAt, leaseToken, judgement: room });
      const fault: unknown = await recordCheck(recorder, check, MINUTE).catch((error: unknown) => error);
      expect(isStorageFault(fault)).toBe(true);
      expect(await db.selectFrom('alerts').select('id').execute()).toEqual([]);
      expect(await db.selectFrom('monitor_checks').select('id').execute()).toEqual([]);
    } finally {
      await other.destroy();
      await cleanup();
    }
  });
});

describe('the rule of one live alert per watch and page', () => {
  it('is enforced by the database', async () => {
    const { db, cleanup } = await createTestDatabase();
    const add = (status: 'open' | 'suspended' | 'closed', targetUrl = 'https://shop.example/') =>
      db
        .insertInto('alerts')
        .values({
          id: newId(),
          watch_id: 'pokemon-center-uk',
          target_url: targetUrl,
          status,
          strength: 'strong',
          opened_at: toIso(0),
          last_seen_at: toIso(0),
          closed_at: status === 'closed' ? toIso(1) : null,
          suspended_at: null,
          revision: 1,
          opening_check_id: 'check',
          closing_check_id: null,
        })
        .execute();
    try {
      await add('closed');
      await add('open');
      await expect(add('open')).rejects.toSatisfy(isConstraintError);
      await expect(add('suspended')).rejects.toSatisfy(isConstraintError);
      await add('closed');
      await add('open', 'https://another.example/');
    } finally {
      await cleanup();
    }
  });
});
