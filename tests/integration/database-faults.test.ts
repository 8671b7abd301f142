import { sql } from 'kysely';
import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLAIM_LASTS_MS } from '#shared/alerts/alert-timing';
import { MINUTE, SECOND, toIso } from '#shared/clock';
import { openDatabase } from '#shared/database/connection.server';
import { isStorageFault } from '#shared/database/database-errors';
import { newId } from '#shared/ids';
import { recordCheck } from '#shared/monitor/checks/record-check';
import { takeCheckLease } from '#shared/monitor/checks/check-lease';
import type { Judgement } from '#shared/monitor/checks/verdict';
import { startChild } from './child-process';
import { openTheatre, type Theatre } from './daemon-theatre';
import { adminTitles, inWorld, openRoom, requestsOf, untilDelivery } from './delivery-view';
import { createTestDatabase } from './database';
import { finishedCheck } from './finished-check';
import { eventually, type World } from './monitor-world';

const HOLD_MS = 3 * SECOND;
/** Longer than a transaction waits for the lock. */
const LONG_HOLD_MS = 13 * SECOND;
const instant = (world: World) => world.sandbox.discord.messages('instant');

/** Another process takes the write lock and keeps it for three seconds, or as long as told. Resolves once it has it. */
async function holdWriteLock(file: string, holdMs = HOLD_MS): Promise<void> {
  const script = `
    const db = require('better-sqlite3')(${JSON.stringify(file)});
    db.exec('begin immediate');
    console.log('locked');
    setTimeout(() => db.exec('commit'), ${holdMs});`;
  const holder = startChild(['-e', script], {});
  await eventually(() => expect(holder.stdout(), holder.stderr()).toContain('locked'), 10_000);
}

describe('a database that another process has locked for three seconds', () => {
  it('delays a check, which is stored, and its alert, which is sent', () =>
    inWorld({ webhooks: ['instant'] }, async (world) => {
      await world.check();
      const began = performance.now();
      await holdWriteLock(world.file);
      await openRoom(world);
      expect(performance.now() - began).toBeGreaterThan(HOLD_MS);
      await untilDelivery(world, 'instant', 'sent');
      expect(instant(world)).toHaveLength(1);
    }));

  it('delays the outcome of a delivery, which is not sent again', () =>
    inWorld({ webhooks: ['instant'] }, async (world) => {
      world.sandbox.discord.setFaults('instant', [{ kind: 'delay', ms: 700 }]);
      await openRoom(world);
      await holdWriteLock(world.file);
      await untilDelivery(world, 'instant', 'sent');
      expect(requestsOf(world, 'instant', 'POST')).toHaveLength(1);
    }));
});

describe.concurrent(
  'a database that stays locked for longer than a transaction waits',
  { timeout: MINUTE },
  () => {
    it('delays a verdict, which is stored without another look at the shop', () =>
      inWorld({ webhooks: ['instant'] }, async (world) => {
        // On a busy machine the queue may not be ready at first.
        await eventually(() => world.check(), 30 * SECOND);
        world.sandbox.shop.show('imperva-room', { delayMs: SECOND });
        const looks = world.sandbox.shop.requests().length;
        // Its caller may give up before the lock is released; the check goes on.
        world.check().catch(() => undefined);
        await eventually(() => expect(world.sandbox.shop.requests()).toHaveLength(looks + 1));
        await holdWriteLock(world.file, LONG_HOLD_MS);
        await eventually(() => expect(instant(world)).toHaveLength(1), 40 * SECOND);
        expect(world.sandbox.shop.requests()).toHaveLength(looks + 1);
      }));

    it('delays a check that could not begin, which is made as soon as it can be', () =>
      inWorld({ webhooks: ['instant'] }, async (world) => {
        await eventually(() => world.check(), 30 * SECOND);
        world.sandbox.shop.show('imperva-room');
        await holdWriteLock(world.file, LONG_HOLD_MS);
        world.check().catch(() => undefined);
        await eventually(() => expect(instant(world)).toHaveLength(1), 40 * SECOND);
      }));

    it('delays the outcome of a delivery, which is not sent again although its claim has run out', () =>
      inWorld({ webhooks: ['instant'] }, async (world) => {
        world.sandbox.discord.setFaults('instant', [{ kind: 'delay', ms: 700 }]);
        await openRoom(world);
        await holdWriteLock(world.file, LONG_HOLD_MS);
        await eventually(() => expect(instant(world)).toHaveLength(1));
        world.clock.advance(CLAIM_LASTS_MS);
        const answeredBefore = world.clock.now() + 3 * SECOND;
        const sent = await untilDelivery(world, 'instant', 'sent', 30 * SECOND);
        expect(sent.attempts).toBe(1);
        // When it was accepted, not when that could be written down.
        expect(Date.parse(sent.sent_at ?? '')).toBeLessThan(answeredBefore);
        expect(requestsOf(world, 'instant', 'POST')).toHaveLength(1);
      }));
  },
);

describe('a disk that is full', () => {
  let theatre: Theatre;

  beforeAll(async () => {
    theatre = await openTheatre();
  });
  afterAll(() => theatre.close());

  it('means no alert and one warning that needs no database; once there is room everything goes on by itself', () =>
    theatre.play(
      async ({ world, start }) => {
        // As long as this connection reads, the other process cannot shrink the log by itself.
        await start({ largestFile: statSync(world.file).size + 256 * 1024 });
        await eventually(() => expect(world.check()).rejects.toMatchObject({ code: 'check_failed' }), 20_000);
        world.sandbox.shop.show('imperva-room');
        await expect(world.check()).rejects.toMatchObject({ code: 'check_failed' });
        await eventually(() => expect(adminTitles(world)).toEqual(['The database cannot be written']));
        expect(instant(world)).toEqual([]);
        expect(await world.db.selectFrom('alerts').select('id').execute()).toEqual([]);

        await sql`pragma wal_checkpoint(truncate)`.execute(world.db);
        await openRoom(world);
        await untilDelivery(world, 'instant', 'sent');
        expect(instant(world)).toHaveLength(1);
        expect(adminTitles(world)).toHaveLength(1);
      },
      ['instant', 'admin'],
    ));
});

describe('a database that is read-only', () => {
  it('refuses to record a check as a storage fault, and nothing of it is left', async () => {
    const { db, file, cleanup } = await createTestDatabase();
    const other = openDatabase(file);
    try {
      const clock = { now: () => Date.parse('2027-01-15T12:00:00.000Z') };
      const startedAt = clock.now();
      const leaseToken = (await takeCheckLease(other, { owner: 'test', clock })) ?? 0;
      await sql`pragma query_only = 1`.execute(other);
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

describe('the rule that one alert of a page is live', () => {
  it('is held by the database itself', async () => {
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
      await expect(add('open')).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_UNIQUE' });
      await expect(add('suspended')).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_UNIQUE' });
      await add('closed');
      await add('open', 'https://another.example/');
    } finally {
      await cleanup();
    }
  });
});
