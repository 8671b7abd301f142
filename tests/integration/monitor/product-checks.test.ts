import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { MINUTE, SECOND } from '#shared/clock';
import { readInStockAt } from '#shared/alerts/following-restocks';
import { readPriceFacts } from '#shared/alerts/price-facts';
import type { ProductJudgement } from '#shared/monitor/checks/verdict';
import { moveWatch } from '#shared/monitor/follow-target';
import { readWatch } from '#shared/monitor/watches/watches';
import { readPublicStatus } from '#shared/status/read-public-status';
import { inTransaction } from '#shared/database/transaction';
import { storeCheck } from '../alerts/finished-check';
import { createTestDatabase, type TestDatabase } from '../database';
import { insertProductWatch, OUT, productCheck, UNKNOWN } from './product-watch';

let database: TestDatabase;
let watchId: string;
let now: number;
const clock = { now: () => now };

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db
    .insertInto('webhooks')
    .values(
      (['instant', 'free'] as const).map((audience) => ({
        watch_id: DEFAULT_WATCH_ID,
        audience,
        sealed_url: 'sealed',
        updated_at: '',
      })),
    )
    .execute();
});
afterAll(() => database.cleanup());
beforeEach(async () => {
  now = Date.parse('2027-01-15T12:00:00.000Z');
  watchId = await insertProductWatch(database.db);
});

/** Records a check two minutes after the last one, or after `afterMs`. */
async function check(seen: Partial<ProductJudgement> = {}, afterMs = 2 * MINUTE): Promise<string> {
  now += afterMs;
  return storeCheck(database.db, clock, productCheck(watchId, seen));
}

const alerts = () =>
  database.db.selectFrom('alerts').selectAll().where('watch_id', '=', watchId).orderBy('ordinal').execute();
const onlyAlert = async () => {
  const [alert, ...more] = await alerts();
  if (alert === undefined || more.length > 0) throw new Error('one alert was expected');
  return alert;
};
const deliveries = async () =>
  database.db
    .selectFrom('alert_deliveries')
    .innerJoin('alerts', 'alerts.id', 'alert_deliveries.alert_id')
    .selectAll('alert_deliveries')
    .where('alerts.watch_id', '=', watchId)
    .orderBy('audience', 'desc')
    .execute();
const runs = () =>
  database.db
    .selectFrom('offer_runs')
    .select(['variant_key', 'availability', 'price_amount', 'first_seen_at', 'last_seen_at', 'is_latest'])
    .where('watch_id', '=', watchId)
    .orderBy('id')
    .execute();
/** As if both messages were posted. */
const post = async () => {
  for (const { id } of await deliveries())
    await database.db
      .updateTable('alert_deliveries')
      .set({ status: 'sent', sent_at: new Date(now).toISOString(), message_id: 'message' })
      .where('id', '=', id)
      .execute();
};
const statuses = async () => (await deliveries()).map(({ status }) => status);

describe('a restock', () => {
  it('opens one alert, with the price, for both audiences of the default webhooks', async () => {
    await check(OUT);
    const checkId = await check({ availability: 'limited', detail: 'low_stock' });
    expect(await onlyAlert()).toMatchObject({
      kind: 'restock',
      status: 'open',
      strength: 'strong',
      price_amount: 4_999,
      price_currency: 'GBP',
      fan_out_status: 'pending',
      opening_check_id: checkId,
    });
    const [instant, free] = await deliveries();
    expect(instant).toMatchObject({ audience: 'instant', destination: watchId, status: 'pending' });
    expect(Date.parse(free?.due_at ?? '') - Date.parse(instant?.due_at ?? '')).toBe(30 * SECOND);
    expect(await readWatch(database.db, watchId)).toMatchObject({
      last_availability: 'limited',
      last_detail: 'low_stock',
      last_price_amount: 4_999,
      last_verdict: 'open',
    });
    const stored = database.db.selectFrom('monitor_checks').selectAll().where('id', '=', checkId);
    expect(await stored.executeTakeFirstOrThrow()).toMatchObject({
      availability: 'limited',
      strength: 'strong',
      price_amount: 4_999,
      reason: 'The button says "Add to basket".',
      alert_id: (await onlyAlert()).id,
    });
  });

  it('is not announced of a product that was there when we began to look', async () => {
    await check();
    await check();
    expect(await alerts()).toEqual([]);
    expect((await readWatch(database.db, watchId)).last_availability).toBe('in_stock');
  });

  it('of a weak sign waits for a second one', async () => {
    await check(OUT);
    await check({ strength: 'weak' });
    expect(await alerts()).toEqual([]);
    const { recheck_due_at, last_availability } = await readWatch(database.db, watchId);
    expect(Date.parse(recheck_due_at ?? '')).toBe(now + 10 * SECOND);
    expect(last_availability).toBe('out_of_stock');
    await check({ strength: 'weak' }, 10 * SECOND);
    expect(await onlyAlert()).toMatchObject({ kind: 'restock', strength: 'weak' });
  });

  it('edits its message when the price or the variants change, and only then', async () => {
    const red = { key: 'red', name: 'Red', availability: 'in_stock', price: null } as const;
    const blue = { key: 'blue', name: 'Blue', availability: 'out_of_stock', price: null } as const;
    await check(OUT);
    await check({ variants: [red, blue] });
    expect(JSON.parse((await onlyAlert()).variants ?? '')).toEqual([{ key: 'red', name: 'Red' }]);
    await post();
    await check({ variants: [red, blue] });
    expect(await statuses()).toEqual(['sent', 'sent']);
    await check({ variants: [red, { ...blue, availability: 'in_stock' }] });
    expect(await statuses()).toEqual(['outdated', 'outdated']);
    await post();
    await check({ variants: [red, blue], price: { amount: 3_999, currency: 'GBP' } });
    expect(await onlyAlert()).toMatchObject({ revision: 3, price_amount: 3_999 });
    await post();
    await check({
      availability: 'limited',
      variants: [red, blue],
      price: { amount: 3_999, currency: 'GBP' },
    });
    expect(await statuses()).toEqual(['outdated', 'outdated']);
  });

  it('closes at the second miss, when the first was made, and cancels what is not sent', async () => {
    await check(OUT);
    await check();
    await check(OUT);
    const firstMiss = new Date(now).toISOString();
    await check(UNKNOWN);
    expect((await onlyAlert()).status).toBe('open');
    await check(OUT);
    expect(await onlyAlert()).toMatchObject({ status: 'closed', closed_at: firstMiss });
    expect((await deliveries()).find(({ audience }) => audience === 'free')?.status).toBe('cancelled');
  });

  it('within 15 minutes continues the alert; the third time it is trickling and stays open', async () => {
    await check(OUT);
    await check();
    await post();
    for (let round = 0; round < 3; round += 1) {
      await check(OUT);
      await check(OUT);
      expect((await onlyAlert()).status).toBe('closed');
      await check();
      expect(await onlyAlert()).toMatchObject({ status: 'open', trickling: round === 2 ? 1 : 0 });
    }
    const lastUnit = new Date(now).toISOString();
    for (let minutes = 0; minutes < 30; minutes += 2) await check(OUT);
    expect((await onlyAlert()).status).toBe('open');
    await check(OUT);
    expect(await onlyAlert()).toMatchObject({ status: 'closed', closed_at: lastUnit });
    expect(await deliveries()).toHaveLength(2);
  });

  it('after a pre-order is a separate alert', async () => {
    await check(OUT);
    await check({ availability: 'preorder', detail: 'release' });
    await check();
    expect((await alerts()).map(({ kind, status }) => [kind, status])).toEqual([
      ['preorder', 'closed'],
      ['restock', 'open'],
    ]);
  });

  it('is named by the message of the pre-order that it ended, for the free audience when it is told of the stock', async () => {
    await check(OUT);
    await check({ availability: 'preorder', detail: 'release' });
    await post();
    await check();
    const [preorder] = await alerts();
    if (preorder === undefined) throw new Error('a pre-order was expected');
    const edits = (await deliveries()).filter(({ alert_id }) => alert_id === preorder.id);
    expect(edits.map(({ audience, status, due_at }) => [audience, status, Date.parse(due_at) - now])).toEqual(
      [
        ['instant', 'outdated', 0],
        ['free', 'outdated', 30 * SECOND],
      ],
    );
    const known = (audience: 'instant' | 'free', afterMs: number) =>
      readInStockAt(database.db, { alert: preorder, audience, now: now + afterMs });
    const openedAt = new Date(now).toISOString();
    expect(await known('instant', 0)).toBe(openedAt);
    expect(await known('free', 30 * SECOND - 1)).toBeNull();
    expect(await known('free', 30 * SECOND)).toBe(openedAt);
  });

  it('is not named by the message of a pre-order that ended without stock', async () => {
    await check(OUT);
    await check({ availability: 'preorder', detail: 'release' });
    await post();
    await check(OUT);
    await check(OUT);
    const preorder = await onlyAlert();
    expect((await deliveries()).map(({ due_at }) => Date.parse(due_at) - now)).toEqual([0, 0]);
    await check();
    expect(await readInStockAt(database.db, { alert: preorder, audience: 'instant', now })).toBeNull();
  });
});

describe('the price', () => {
  it('is kept over checks that show none, and a change above 60 % is believed when it is seen twice', async () => {
    const last = async () => (await readWatch(database.db, watchId)).last_price_amount;
    await check();
    await check({ price: null });
    expect(await last()).toBe(4_999);
    await check({ price: { amount: 7_900, currency: 'GBP' } });
    expect(await last()).toBe(7_900);
    await check({ price: { amount: 499, currency: 'GBP' } });
    expect(await last()).toBe(7_900);
    await check({ price: { amount: 599, currency: 'GBP' } });
    expect(await last()).toBe(7_900);
    await check({ price: { amount: 599, currency: 'GBP' } });
    expect(await last()).toBe(599);
    await check({ price: { amount: 599, currency: 'EUR' } });
    expect(await readWatch(database.db, watchId)).toMatchObject({ last_price_currency: 'GBP' });
  });

  it('is one row per run of equal values, of the offer and of each variant', async () => {
    const variant = (key: string, availability: 'in_stock' | 'out_of_stock') => ({
      key,
      name: key,
      availability,
      price: { amount: 4_999, currency: 'GBP' },
    });
    await check({ variants: [variant('a', 'in_stock'), variant('b', 'out_of_stock')] });
    const first = new Date(now).toISOString();
    await check({ variants: [variant('a', 'in_stock'), variant('b', 'out_of_stock')] });
    await check(UNKNOWN);
    await check({ variants: [variant('a', 'out_of_stock'), variant('b', 'in_stock')] });
    const second = new Date(now - 4 * MINUTE).toISOString();
    const last = new Date(now).toISOString();
    const run = (variant_key: string, availability: string, from: string, to: string, is_latest: 0 | 1) => ({
      variant_key,
      availability,
      price_amount: 4_999,
      first_seen_at: from,
      last_seen_at: to,
      is_latest,
    });
    expect(await runs()).toEqual([
      run('', 'in_stock', first, last, 1),
      run('a', 'in_stock', first, second, 0),
      run('b', 'out_of_stock', first, second, 0),
      run('a', 'out_of_stock', last, last, 1),
      run('b', 'in_stock', last, last, 1),
    ]);
  });

  it.each(['b', null])(
    'of a watch of one variant is about that one, and so is its alert (key %s)',
    async (key) => {
      await database.db.updateTable('watches').set({ variant_key: key }).where('id', '=', watchId).execute();
      const variants = (b: 'in_stock' | 'out_of_stock') =>
        (['a', 'b'] as const).map((key) => ({
          key,
          name: `Design ${key}`,
          availability: key === 'a' ? ('in_stock' as const) : b,
          price: null,
        }));
      await check({ ...OUT, variants: variants('out_of_stock'), watchedVariant: 'b' });
      expect(await alerts()).toEqual([]);
      await check({ variants: variants('in_stock'), watchedVariant: 'b' });
      expect(JSON.parse((await onlyAlert()).variants ?? '')).toEqual([{ key: 'b', name: 'Design b' }]);
      expect((await runs()).map(({ variant_key, availability }) => [variant_key, availability])).toEqual([
        ['', 'out_of_stock'],
        ['b', 'out_of_stock'],
        ['', 'in_stock'],
        ['b', 'in_stock'],
      ]);
    },
  );

  it('is compared in messages with the one before, and with the lowest since we look', async () => {
    await check({ ...OUT, price: { amount: 3_900, currency: 'GBP' } });
    await check({ ...OUT, price: { amount: 5_200, currency: 'GBP' } });
    await check({}, 3 * 24 * 60 * MINUTE);
    expect(await readPriceFacts(database.db, { alert: await onlyAlert(), now })).toEqual({
      previousPrice: { amount: 5_200, currency: 'GBP' },
      lowest: { amount: 3_900, days: 3 },
    });
  });
});

describe('a product watch', () => {
  it('names the page that is behind a waiting room, and counts no verdict', async () => {
    await check(OUT);
    await check({ ...UNKNOWN, unknownReason: 'waiting_room' });
    expect(await alerts()).toEqual([]);
    expect((await readWatch(database.db, watchId)).last_availability).toBe('out_of_stock');
  });

  it('forgets state and price when it moves to another page', async () => {
    await check(OUT);
    await inTransaction(database.db, (trx) =>
      moveWatch(trx, { watchId, targetUrl: 'https://cards.example/other', now }),
    );
    await check();
    expect(await alerts()).toEqual([]);
  });

  it('is not part of the public status of waiting rooms', async () => {
    await check(OUT);
    await check();
    const status = await readPublicStatus(database.db, { now, health: new Map() });
    expect(status.watches.map(({ slug }) => slug)).toEqual([DEFAULT_WATCH_ID]);
    expect(status.alerts).toEqual([]);
  });

  it('needs a product and a retailer; a waiting room has neither', async () => {
    const change = (values: object) =>
      database.db.updateTable('watches').set(values).where('id', '=', watchId).execute();
    await expect(change({ product_id: null })).rejects.toThrow();
    await expect(change({ retailer_id: null })).rejects.toThrow();
    await expect(change({ kind: 'waiting_room' })).rejects.toThrow();
    await expect(change({ last_price_amount: 0 })).rejects.toThrow();
    await expect(change({ last_price_amount: 5, last_price_currency: null })).rejects.toThrow();
    await expect(change({ last_availability: 'unknown' })).rejects.toThrow();
  });
});
