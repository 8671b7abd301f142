import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AlertsTable } from '#shared/database/tables/monitor/alerts';
import type { Judgement } from '#shared/monitor/checks/verdict';
import { MINUTE, toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { suspendUnwatchedAlerts } from '#shared/monitor/start-stop';
import { createTestDatabase } from '../database';
import { storeCheck } from '../alerts/finished-check';

const ROOM: Judgement = {
  verdict: 'waiting_room',
  strength: 'strong',
  unknownReason: null,
  reason: 'The waiting room.',
  signs: [],
};
const UNKNOWN: Judgement = { ...ROOM, verdict: 'unknown', strength: null, unknownReason: 'challenge' };

let db: Database;
let cleanup: () => Promise<void>;
let now = 0;
const clock = { now: () => now };

beforeEach(async () => {
  const created = await createTestDatabase();
  ({ db, cleanup } = created);
  await db.updateTable('watches').set({ running: 1, hours: '9-21' }).execute();
});
afterEach(() => cleanup());

/** A check at a time of London's winter, which is UTC. Each takes the lease anew. */
async function check(iso: string, judgement?: Judgement): Promise<void> {
  now = Date.parse(iso);
  await db.updateTable('watches').set({ lease_until: null, lease_owner: null }).execute();
  await storeCheck(db, clock, { trigger: 'schedule', ...(judgement && { judgement }) });
}

const alerts = (): Promise<Pick<AlertsTable, 'status' | 'close_reason' | 'closed_at'>[]> =>
  db
    .selectFrom('alerts')
    .select(['status', 'close_reason', 'closed_at', 'ordinal'])
    .orderBy('ordinal')
    .execute();

const shown = async () => (await alerts()).map(({ status, close_reason }) => [status, close_reason]);

test('an alert that an outage left open over the night is not seen any more, and the next room is a new alert', async () => {
  await check('2026-11-24T20:50:00Z', ROOM);
  await check('2026-11-25T09:30:00Z', ROOM);
  expect(await alerts()).toMatchObject([
    { status: 'closed', close_reason: 'not_seen', closed_at: '2026-11-24T20:50:00.000Z' },
    { status: 'open', close_reason: null },
  ]);
});

test('it is closed by the first check, whatever that sees, and its unsent free message is cancelled', async () => {
  await db
    .insertInto('webhooks')
    .values({
      watch_id: 'pokemon-center-uk',
      audience: 'free',
      sealed_url: 'sealed',
      state: 'trusted',
      updated_at: toIso(0),
    })
    .execute();
  await check('2026-11-24T20:50:00Z', ROOM);
  await check('2026-11-25T09:00:00Z', UNKNOWN);
  expect(await shown()).toEqual([['closed', 'not_seen']]);
  const free = await db
    .selectFrom('alert_deliveries')
    .select('status')
    .where('audience', '=', 'free')
    .execute();
  expect(free).toEqual([{ status: 'cancelled' }]);
  await check('2026-11-25T09:01:00Z', ROOM);
  expect(await shown()).toEqual([
    ['closed', 'not_seen'],
    ['open', null],
  ]);
});

test('so is one that was suspended in the evening', async () => {
  await check('2026-11-24T20:59:30Z', ROOM);
  await suspendUnwatchedAlerts(db, Date.parse('2026-11-24T21:00:05Z'));
  expect(await shown()).toEqual([['suspended', null]]);
  await check('2026-11-25T09:00:00Z', UNKNOWN);
  expect(await shown()).toEqual([['closed', 'not_seen']]);
});

test('an outage within the hours, and a check by hand after them, continue the alert', async () => {
  await check('2026-11-24T10:00:00Z', ROOM);
  await check('2026-11-24T14:00:00Z', ROOM);
  await check('2026-11-24T20:59:00Z', ROOM);
  await check('2026-11-24T21:05:00Z', ROOM);
  // Only from 14:00 to 20:59 is longer than six hours.
  expect(await shown()).toEqual([
    ['closed', 'not_seen'],
    ['open', null],
  ]);
});

test('with the clock set back, a room after a closed alert is a new alert, and checks continue with both', async () => {
  await check('2026-11-24T12:00:00Z', ROOM);
  await check('2026-11-24T12:10:00Z');
  await check('2026-11-24T12:11:00Z');
  expect(await shown()).toEqual([['closed', null]]);
  await check('2026-11-24T11:20:00Z', ROOM);
  expect(await shown()).toEqual([
    ['closed', null],
    ['open', null],
  ]);
  for (const minute of [21, 22, 23]) await check(`2026-11-24T11:${minute}:00Z`, ROOM);
  expect(await shown()).toEqual([
    ['closed', null],
    ['open', null],
  ]);
  await check('2026-11-24T11:24:00Z');
  await check('2026-11-24T11:25:00Z');
  now += 2 * MINUTE;
  await check(toIso(now), ROOM);
  expect(await shown()).toEqual([
    ['closed', null],
    ['open', null],
  ]);
});
