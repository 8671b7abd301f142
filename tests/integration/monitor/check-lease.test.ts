import { CLOCK_TOLERANCE_MS, SECOND, type Clock } from '#shared/clock';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { inTransaction } from '#shared/database/transaction';
import { LEASE_LIFETIME_MS, returnCheckLease, takeCheckLease } from '#shared/monitor/checks/check-lease';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase } from '../database';

const NOON = Date.parse('2027-01-15T12:00:00.000Z');

let now: number;
const clock: Clock = { now: () => now };
// Two connections, which to SQLite are two processes.
let one: Database;
let other: Database;
let cleanup: () => Promise<void>;

beforeEach(async () => {
  now = NOON;
  const made = await createTestDatabase();
  one = made.db;
  other = openDatabase(made.config);
  cleanup = async () => {
    await other.destroy();
    await made.cleanup();
  };
});
afterEach(() => cleanup());

const take = async (db: Database, owner: string) =>
  (await takeCheckLease(db, { owner, clock }))?.lease_token ?? null;

it('the lease has one owner until it is released or expires', async () => {
  const first = (await take(one, 'one')) ?? 0;
  expect(await take(other, 'other')).toBeNull();
  await returnCheckLease(one, first);
  expect(await take(other, 'other')).toBe(first + 1);
  now += LEASE_LIFETIME_MS;
  expect(await take(one, 'one')).toBe(first + 2);
});

it('the lease is not taken by a request that waited for the database while another one took it', async () => {
  const order: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const writing = inTransaction(one, async (trx) => {
    order.push('writing');
    await released;
    now += SECOND;
    return takeCheckLease(trx, { owner: 'one', clock });
  });
  await expect.poll(() => order).toEqual(['writing']);
  const taking = take(other, 'other');
  release();
  expect(await writing).not.toBeNull();
  expect(await taking).toBeNull();
});

it('the lease is free after the clock was set back', async () => {
  await take(one, 'one');
  // As far as the clocks of two processes may differ.
  now -= CLOCK_TOLERANCE_MS;
  expect(await take(other, 'other')).toBeNull();
  now -= 1;
  expect(await take(other, 'other')).not.toBeNull();
});
