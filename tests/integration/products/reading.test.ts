import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Audience } from '#shared/alerts/webhooks/webhooks';
import { DAY, HOUR, MINUTE, SECOND, toIso } from '#shared/clock';
import type { ProductJudgement, ProductVariant } from '#shared/monitor/checks/verdict';
import { filterProducts } from '#shared/products/reading/list-products';
import { readPriceHistory } from '#shared/products/reading/price-history';
import { findProductId, readProducts } from '#shared/products/reading/products';
import type { ListedProduct } from '#shared/products/offer';
import { readRestocks, usualSeconds } from '#shared/products/reading/restocks';
import { readShown } from '#shared/products/reading/shown-runs';
import { readVariants } from '#shared/products/reading/variants';
import { readStatusVersion } from '#shared/status/status-version.server';
import { storeCheck } from '../alerts/finished-check';
import { createTestDatabase, type TestDatabase } from '../database';
import { insertProductWatch, OUT, productCheck, UNKNOWN } from '../monitor/product-watch';

let database: TestDatabase;
let now: number;
const clock = { now: () => now };

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.cleanup());
beforeEach(() => {
  now = Date.parse('2027-01-15T12:00:00.000Z');
});

/** Records a check `afterMs` after the last one. Returns its time. */
async function check(
  watchId: string,
  seen: Partial<ProductJudgement> = {},
  afterMs = 2 * MINUTE,
): Promise<string> {
  now += afterMs;
  await storeCheck(database.db, clock, productCheck(watchId, seen));
  return toIso(now);
}

/** What `audience` sees of the product of a watch, `afterMs` after the last check. */
async function see(id: string, audience: Audience, afterMs = 0): Promise<ListedProduct> {
  const at = now + afterMs;
  const shown = await readShown(database.db, { now: at, audience });
  const [product] = await readProducts(database.db, { now: at, shown, id });
  if (product === undefined) throw new Error('there is no such product');
  return product;
}

const version = async (audience: Audience, afterMs = 0) =>
  (await readStatusVersion(database.db, { now: now + afterMs, audience })).products;

describe('the state of a product', () => {
  test('is not known before the first check, whose result is shown to everybody at once', async () => {
    const id = await insertProductWatch(database.db);
    expect(await see(id, 'free')).toMatchObject({ state: 'unknown', isChecked: false, price: null });
    const other = await insertProductWatch(database.db, { product: id, retailer: 'Smallville' });
    await check(other, UNKNOWN);
    expect(await see(id, 'free')).toMatchObject({ state: 'unknown', isChecked: true });
    const firstAt = await check(id);
    expect(await see(id, 'free')).toMatchObject({
      state: 'in_stock',
      since: firstAt,
      price: { amount: 4_999 },
    });
  });

  test('is that of its best offer, and the free audience sees stock when its message is due', async () => {
    const id = await insertProductWatch(database.db);
    const other = await insertProductWatch(database.db, { product: id, retailer: 'Smallville' });
    const outAt = await check(id, OUT);
    await check(other, { ...OUT, price: { amount: 5_500, currency: 'GBP' } });
    const before = await version('free', 30 * SECOND);
    const openedAt = await check(id);
    await check(id, {}, 10 * SECOND);

    expect(await see(id, 'instant')).toMatchObject({
      state: 'in_stock',
      since: openedAt,
      price: { amount: 4_999 },
      offers: [
        { retailer: { name: 'Tanglewood Cards' }, state: 'in_stock', since: openedAt },
        { retailer: { name: 'Smallville' }, state: 'out_of_stock', price: { amount: 5_500 } },
      ],
    });
    expect(await see(id, 'free', 19 * SECOND)).toMatchObject({
      state: 'out_of_stock',
      offers: [{ since: outAt }, {}],
    });
    expect(await version('free', 19 * SECOND)).toBe(before);
    expect(await see(id, 'free', 20 * SECOND)).toMatchObject({ state: 'in_stock', since: openedAt });
    expect(await version('free', 20 * SECOND)).not.toBe(before);

    // It is in stock since then, whatever it costs and however little is left.
    await check(id, { price: { amount: 4_499, currency: 'GBP' } });
    await check(id, { availability: 'limited', detail: 'low_stock' });
    const seen = await version('instant');
    await check(id, { availability: 'limited', detail: 'low_stock' });
    expect(await version('instant')).toBe(seen);
    expect(await see(id, 'instant')).toMatchObject({ state: 'limited', since: openedAt });

    // A sell-out is shown to everybody at once.
    const goneAt = await check(id, OUT);
    expect(await see(id, 'free')).toMatchObject({ state: 'out_of_stock', since: goneAt });
    await check(id, OUT);
    const [restock] = await readRestocks(database.db, { watchIds: [id, other], hidden: [] });
    expect(restock).toMatchObject({
      kind: 'restock',
      openedAt,
      closedAt: goneAt,
      isOpen: false,
      lastedSeconds: (Date.parse(goneAt) - Date.parse(openedAt)) / SECOND,
      headStartSeconds: null,
    });

    // Checks that say nothing make it unknown after half an hour.
    for (let count = 0; count < 15; count += 1) await check(id, UNKNOWN);
    expect(await see(id, 'free', MINUTE)).toMatchObject({
      state: 'unknown',
      since: null,
      price: { amount: 4_999 },
    });
  });

  test('is not that of a weak sign before it is confirmed, nor for the free audience before its message', async () => {
    const id = await insertProductWatch(database.db);
    await check(id, OUT);
    await check(id, { strength: 'weak' });
    for (const audience of ['instant', 'free'] as const)
      expect(await see(id, audience, 9 * SECOND)).toMatchObject({ state: 'out_of_stock' });
    await check(id, { strength: 'weak' }, 10 * SECOND);
    expect(await see(id, 'instant')).toMatchObject({ state: 'in_stock' });
    expect(await see(id, 'free', 29 * SECOND)).toMatchObject({ state: 'out_of_stock' });
    expect(await see(id, 'free', 30 * SECOND)).toMatchObject({ state: 'in_stock' });
  });

  test('is unknown without an offer, and a deleted product is nowhere', async () => {
    const id = await insertProductWatch(database.db, { fields: { slug: 'lonely' } });
    expect(await findProductId(database.db, `watch-${id}`)).toEqual({ id, slug: 'lonely' });
    await database.db
      .updateTable('watches')
      .set({ deleted_at: toIso(now) })
      .where('id', '=', id)
      .execute();
    expect(await see(id, 'free')).toMatchObject({ state: 'unknown', price: null, offers: [] });
    expect(await findProductId(database.db, `watch-${id}`)).toBeNull();
    expect(await findProductId(database.db, 'lonely')).not.toBeNull();
    await database.db
      .updateTable('products')
      .set({ deleted_at: toIso(now) })
      .where('id', '=', id)
      .execute();
    expect(await findProductId(database.db, 'lonely')).toBeNull();
    expect(await findProductId(database.db, 'constructor')).toBeNull();
  });
});

test('variants have the names of the check that listed them', async () => {
  const id = await insertProductWatch(database.db);
  const variant = (key: string, name: string, availability: ProductVariant['availability']) => ({
    key,
    name,
    availability,
    price: { amount: 4_999, currency: 'GBP' },
  });
  await check(id, {
    ...OUT,
    variants: [variant('1', 'Blue', 'out_of_stock'), variant('2', 'Red', 'out_of_stock')],
  });
  await check(id, { variants: [variant('1', 'Blue', 'in_stock'), variant('2', 'Red', 'out_of_stock')] });
  await check(id, UNKNOWN);
  const read = async (audience: Audience) => {
    const shown = await readShown(database.db, { now, audience });
    return (await readVariants(database.db, { watchIds: [id], shown, now })).get(id);
  };
  now -= 2 * MINUTE;
  expect(await read('free')).toMatchObject([
    { key: '1', name: 'Blue', state: 'out_of_stock' },
    { key: '2', name: 'Red', state: 'out_of_stock' },
  ]);
  expect(await read('instant')).toMatchObject([{ state: 'in_stock' }, { state: 'out_of_stock' }]);
  // No check could judge the page for half an hour: the offer is unknown, and so are they.
  now += 31 * MINUTE;
  expect((await see(id, 'instant')).state).toBe('unknown');
  expect(await read('instant')).toMatchObject([{ state: 'unknown' }, { state: 'unknown' }]);
  now -= 31 * MINUTE;
  // Half an hour later the page has no variants any more.
  await check(id, OUT, 33 * MINUTE);
  expect(await read('instant')).toBeUndefined();
});

describe('the price history', () => {
  const history = async (id: string, days: number | null = 30) => {
    const shown = await readShown(database.db, { now, audience: 'instant' });
    return readPriceHistory(database.db, { watchIds: [id], shown, now, days });
  };
  const at = (amount: number): Partial<ProductJudgement> => ({ price: { amount, currency: 'GBP' } });

  test('claims the lowest price only for the time in which we looked', async () => {
    const id = await insertProductWatch(database.db);
    const first = await check(id, at(5_000));
    expect(await history(id)).toMatchObject({ from: first, lowestForDays: null });
    for (let hours = 0; hours < 48; hours += 4) await check(id, at(5_000), 4 * HOUR);
    await check(id, at(4_500), 4 * HOUR);
    expect(await history(id)).toMatchObject({
      from: first,
      runs: [{ price: { amount: 5_000 } }, { price: { amount: 4_500 } }],
      lowest: { amount: 4_500 },
      highest: { amount: 5_000 },
      lowestForDays: 2,
    });
    // No check for two days.
    await check(id, at(4_400), 2 * DAY);
    expect(await history(id)).toMatchObject({ lowestForDays: null });
    // A lower price ends the claim; equal ones do not begin one.
    await check(id, at(4_600), 4 * HOUR);
    expect(await history(id)).toMatchObject({ lowestForDays: null });
    expect((await history(id, 1))?.runs).toHaveLength(2);
  });

  test('of thousands of runs is the newest thousand', async () => {
    const id = await insertProductWatch(database.db);
    const step = 10 * MINUTE;
    const rows = Array.from({ length: 1_200 }, (_, index) => ({
      id: `${id}-${index}`,
      watch_id: id,
      variant_key: '',
      availability: 'in_stock' as const,
      price_amount: 1_000 + index,
      price_currency: 'GBP',
      strength: 'strong' as const,
      first_seen_at: toIso(now - (1_200 - index) * step),
      last_seen_at: toIso(now - (1_200 - index) * step + step / 2),
      first_check_id: 'check',
      is_latest: index === 1_199 ? (1 as const) : (0 as const),
    }));
    await database.db.insertInto('offer_runs').values(rows).execute();
    const read = await history(id, null);
    expect(read?.runs).toHaveLength(1_000);
    expect(read).toMatchObject({ from: rows[200]?.first_seen_at, lowest: { amount: 1_200 } });
    expect((await see(id, 'free')).since).toBe(rows[0]?.first_seen_at);
  });
});

test('stock is usually gone after the median of at least three restocks', () => {
  const lasted = (seconds: number | null) =>
    ({ kind: 'restock', lastedSeconds: seconds }) as Parameters<typeof usualSeconds>[0][number];
  expect(usualSeconds([60, 600].map(lasted))).toBeNull();
  expect(usualSeconds([60, 600, null, 300].map(lasted))).toBe(300);
});

test('a list is narrowed by state, retailer and words, what can be bought first', async () => {
  const product = (title: string, changes: Partial<ListedProduct> = {}): ListedProduct => ({
    id: title,
    slug: title,
    retiredAt: null,
    title,
    brand: null,
    gtin: null,
    image: null,
    releasedOn: null,
    createdAt: '2027-01-01T00:00:00.000Z',
    state: 'out_of_stock',
    detail: null,
    isChecked: true,
    isGone: false,
    since: '2027-01-01T00:00:00.000Z',
    price: null,
    offers: [],
    ...changes,
  });
  const offer = (name: string, state: ListedProduct['state']) =>
    ({ retailer: { name, host: `${name.toLowerCase()}.example` }, state }) as ListedProduct['offers'][number];
  const all = [
    product('Ember Chest', { brand: 'Pokémon', offers: [offer('Argos', 'out_of_stock')] }),
    product('Tide Box', {
      state: 'limited',
      gtin: '5012345678900',
      offers: [offer('Smyths', 'limited'), offer('Argos', 'out_of_stock')],
    }),
    product('Moon Tin', { state: 'preorder' }),
    product('Ash Box', { state: 'in_stock', since: '2027-01-02T00:00:00.000Z' }),
  ];
  const titles = (filter: Partial<Parameters<typeof filterProducts>[1]>) =>
    filterProducts(all, { state: null, retailer: null, q: '', ...filter }).map(({ title }) => title);
  expect(titles({})).toEqual(['Ash Box', 'Tide Box', 'Moon Tin', 'Ember Chest']);
  expect(titles({ state: 'in_stock' })).toEqual(['Ash Box', 'Tide Box']);
  expect(titles({ state: 'limited' })).toEqual(['Tide Box']);
  expect(titles({ state: 'in_stock', retailer: 'argos.example' })).toEqual([]);
  expect(titles({ state: 'out_of_stock', retailer: 'ARGOS' })).toEqual(['Tide Box', 'Ember Chest']);
  expect(titles({ q: 'pokemon  CHEST' })).toEqual(['Ember Chest']);
  expect(titles({ q: '5012345678900 smyths' })).toEqual(['Tide Box']);
  expect(titles({ q: 'box'.repeat(1_000) })).toEqual([]);
});
