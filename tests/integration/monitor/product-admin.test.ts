import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HOUR, MINUTE, toIso } from '#shared/clock';
import type { ProductJudgement, ProductSign } from '#shared/monitor/checks/verdict';
import { productOperations } from '#shared/monitor/products/product-operations';
import { distrustReason, learnSourceTrust, readSourceTrust } from '#shared/monitor/products/source-trust';
import { inTransaction } from '#shared/database/transaction';
import { followFields } from '#shared/follows/follow-fields';
import { followProduct, listFollows } from '#shared/follows/follows';
import { newId } from '#shared/ids';
import { findOrAddProduct } from '#shared/monitor/products/products';
import { startMonitoring } from '#shared/monitor/start-stop';
import { watchMonitor } from '#shared/monitor/watchdog';
import { filterProducts } from '#shared/products/reading/list-products';
import { readProducts } from '#shared/products/reading/products';
import { readShown } from '#shared/products/reading/shown-runs';
import { readWatch } from '#shared/monitor/watches/watches';
import { storeCheck } from '../alerts/finished-check';
import { createTestDatabase, type TestDatabase } from '../database';
import { addHeartbeat } from './status-data';
import { insertProductWatch, OUT, productCheck, UNKNOWN } from './product-watch';

const OPERATOR = { actor: { userId: null } };

let database: TestDatabase;
let watchId: string;
let now: number;
const clock = { now: () => now };

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.cleanup());
beforeEach(async () => {
  now = Date.parse('2027-01-15T12:00:00.000Z');
  watchId = await insertProductWatch(database.db);
});

async function check(seen: Partial<ProductJudgement> = {}, id = watchId): Promise<string> {
  now += 2 * MINUTE;
  return storeCheck(database.db, clock, productCheck(id, seen));
}
const context = () => ({ db: database.db, clock });
const sign = (source: ProductSign['source'], says: ProductSign['says']): ProductSign => ({
  source,
  says,
  detail: null,
  subject: 'product',
  weight: 40,
  evidence: says,
});

/** A second watch of the same shop. */
async function addSibling(): Promise<string> {
  const id = await insertProductWatch(database.db, { url: 'https://cards.example/products/sleeves' });
  await database.db.updateTable('watches').set({ retailer_id: watchId }).where('id', '=', id).execute();
  return id;
}
const changeRetailer = (changes: object) =>
  productOperations.changeRetailer.run(context(), OPERATOR, { host: `${watchId}.example`, ...changes });
const alertsOf = (id: string) =>
  database.db.selectFrom('alerts').select(['status']).where('watch_id', '=', id).execute();
const notices = async () =>
  (await database.db.selectFrom('admin_notices').select('title').orderBy('created_at').execute()).map(
    ({ title }) => title,
  );

test('while its canary is not in stock, the verdicts of a shop decide nothing, and the admins are told once', async () => {
  const canary = await addSibling();
  await expect(changeRetailer({ canary: 'watch-none' })).rejects.toMatchObject({ code: 'other_shop' });
  await changeRetailer({ canary: `watch-${canary}` });
  await check(OUT);
  await check({}, canary);

  await check(UNKNOWN, canary);
  expect(await notices()).toEqual([]);
  await check({});
  await check({ ...OUT, price: { amount: 1, currency: 'GBP' } });
  expect(await alertsOf(watchId)).toEqual([]);
  expect(await readWatch(database.db, watchId)).toMatchObject({
    last_availability: 'out_of_stock',
    last_price_amount: 4_999,
  });
  await check(OUT, canary);
  await check(OUT, canary);
  expect(await notices()).toEqual(['Tanglewood Cards: all verdicts are held back']);

  // The stock of a canary is never news.
  await check({}, canary);
  expect(await alertsOf(canary)).toEqual([]);
  expect(await notices()).toEqual([
    'Tanglewood Cards: all verdicts are held back',
    'Tanglewood Cards: verdicts count again',
  ]);
  await check({});
  expect(await alertsOf(watchId)).toEqual([{ status: 'open' }]);

  // A canary that is stopped, or no longer chosen, holds nothing back.
  await check(OUT, canary);
  await database.db.updateTable('watches').set({ running: 0 }).where('id', '=', canary).execute();
  await check(OUT);
  expect(await readWatch(database.db, watchId)).toMatchObject({ last_availability: 'out_of_stock' });
});

test('a source is trusted by how often it said what followed', async () => {
  const out = { ...OUT, signs: [sign('button', 'out_of_stock'), sign('structured_data', 'in_stock')] };
  const stock = { signs: [sign('button', 'in_stock'), sign('structured_data', 'in_stock')] };
  for (const seen of [out, out, stock, stock, { ...out }]) await check(seen);
  // The last change is not confirmed by a second check.
  const counted = () => readSourceTrust(database.db, { retailerId: watchId, now });
  expect(await counted()).toEqual([
    { source: 'button', agreed: 2, changes: 2 },
    { source: 'structured_data', agreed: 1, changes: 2 },
  ]);

  // Four changes are too few to distrust a source.
  const learn = () => learnSourceTrust(database.db, now);
  for (const seen of [out, stock, stock]) await check(seen);
  expect(await learn()).toBe(0);
  for (const seen of [out, out]) await check(seen);
  expect(await learn()).toBe(1);
  expect(await learn()).toBe(0);
  expect((await counted())[1]).toEqual({ source: 'structured_data', agreed: 2, changes: 5 });

  // Alone it opens nothing, however often it is seen, and the check says why; beside another source it does.
  const before = await alertsOf(watchId);
  const alone = { signs: [sign('structured_data', 'in_stock')] };
  for (const seen of [alone, alone, { ...alone, strength: 'weak' as const }]) await check(seen);
  const last = await check(alone);
  expect(await alertsOf(watchId)).toEqual(before);
  expect(await readWatch(database.db, watchId)).toMatchObject({ last_availability: 'out_of_stock' });
  const held = database.db.selectFrom('monitor_checks').selectAll().where('id', '=', last);
  expect(await held.executeTakeFirstOrThrow()).toMatchObject({
    availability: 'in_stock',
    strength: null,
    reason: expect.stringContaining(
      'Held back: at this shop the structured data was wrong at 3 of 5 changes, and nothing else',
    ) as string,
  });
  now += HOUR;
  await check(stock);
  expect(await alertsOf(watchId)).toHaveLength(before.length + 1);
  // What it says counts while the alert is open.
  await check(alone);
  expect((await readWatch(database.db, watchId)).last_availability).toBe('in_stock');
});

test.each([
  ['alone', ['meta'], ['meta'], true],
  ['two that are both distrusted', ['meta', 'page_data'], ['meta', 'page_data'], true],
  ['beside one that is trusted', ['meta', 'button'], ['meta'], false],
  ['one that is trusted', ['button'], ['meta'], false],
  ['none that is known', [], ['meta'], false],
] as const)('a verdict that rests on a distrusted source: %s', (_name, says, distrusted, isHeld) => {
  const signs = [
    ...says.map((source) => sign(source, 'limited')),
    sign('platform', 'out_of_stock'),
    { ...sign('button', 'in_stock'), subject: 'other_product' as const },
    { ...sign('button', 'in_stock'), weight: 0 },
  ];
  const reason = distrustReason(
    { signs, availability: 'in_stock' },
    distrusted.map((source) => ({ source, agreed: 3, changes: 6 })),
  );
  expect(reason !== null).toBe(isHeld);
});

test('what a shop no longer sells counts as out of stock at the second page that says so, and is checked once a day', async () => {
  const GONE = {
    ...UNKNOWN,
    unknownReason: 'discontinued',
    reason: 'The page says "Discontinued".',
  } as const;
  const state = async () => {
    const { last_availability, discontinued_at, next_check_at } = await readWatch(database.db, watchId);
    return {
      last_availability,
      isGone: discontinued_at !== null,
      inMs: Date.parse(next_check_at ?? '') - now,
    };
  };
  const variants = ['red', 'blue'].map(
    (key) => ({ key, name: key, availability: 'in_stock', price: null }) as const,
  );
  await check(OUT);
  await check({ variants });
  await check(GONE);
  await check(UNKNOWN);
  await check(GONE);
  expect(await alertsOf(watchId)).toEqual([{ status: 'open' }]);
  expect(await state()).toMatchObject({ last_availability: 'in_stock', isGone: false });
  await check(GONE);
  expect(await alertsOf(watchId)).toEqual([{ status: 'closed' }]);
  const settled = await state();
  expect(settled).toMatchObject({ last_availability: 'out_of_stock', isGone: true });
  expect(settled.inMs).toBeGreaterThanOrEqual(24 * HOUR);
  const latest = await database.db
    .selectFrom('offer_runs')
    .select(['variant_key', 'availability'])
    .where('watch_id', '=', watchId)
    .where('is_latest', '=', 1)
    .execute();
  expect(latest).toEqual([{ variant_key: '', availability: 'out_of_stock' }]);
  now += 24 * HOUR;
  await check(GONE);
  expect((await notices()).filter((title) => title.includes('no longer sold'))).toEqual([
    'Ember Hollow chest: no longer sold',
  ]);
  now += 24 * HOUR;
  await check({});
  expect(await state()).toMatchObject({ last_availability: 'in_stock', isGone: false });
  expect(await alertsOf(watchId)).toHaveLength(2);
});

test('a retired product is no longer checked, followed or listed, and can be restored', async () => {
  const slug = `product-${watchId}`;
  const retire = (retired: boolean) => productOperations.retire.run(context(), OPERATOR, { slug, retired });
  const start = () => startMonitoring(database.db, { ...OPERATOR, clock, watchId });
  const read = async () => {
    const shown = await readShown(database.db, { now, audience: 'instant' });
    return readProducts(database.db, { now, shown, id: watchId });
  };
  const listed = async () => filterProducts(await read(), { state: null, retailer: null, q: '' }).length;
  const userId = newId();
  const stamp = toIso(now);
  await database.db
    .insertInto('users')
    .values({
      id: userId,
      email: `${userId}@mail.example`,
      username: 'Ann',
      created_at: stamp,
      updated_at: stamp,
    })
    .execute();
  const fields = { wants: ['restock'], maxPrice: null, retailers: null, variants: null, quietHours: null };
  const follow = () =>
    followProduct(database.db, { userId, tier: 'free', slug, fields: followFields.parse(fields), clock });
  await check(OUT);
  await check({});
  await follow();
  expect(await listed()).toBe(1);
  expect(await read()).toMatchObject([{ state: 'in_stock' }]);
  await retire(true);
  await retire(true);
  expect(await readWatch(database.db, watchId)).toMatchObject({ running: 0 });
  expect(await alertsOf(watchId)).toEqual([{ status: 'closed' }]);
  expect(await listed()).toBe(0);
  expect(await read()).toMatchObject([{ state: 'unknown', offers: [{ state: 'unknown' }] }]);
  const refused = { kind: 'Conflict', code: 'product_retired' };
  await expect(start()).rejects.toMatchObject(refused);
  await expect(follow()).rejects.toMatchObject(refused);
  await expect(
    inTransaction(database.db, (trx) => findOrAddProduct(trx, { productSlug: slug }, now)),
  ).rejects.toMatchObject(refused);
  expect(await listFollows(database.db, { userId, tier: 'free', now })).toMatchObject([
    { product: { slug, retired: true }, counts: true },
  ]);
  await retire(false);
  expect(await start()).toMatchObject({ changed: true });
  expect(await listed()).toBe(1);
  const audit = database.db.selectFrom('audit_log').select('action').where('subject', '=', watchId);
  expect((await audit.execute()).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['product.retire', 'monitor.stop', 'product.restore', 'monitor.start']),
  );
});

test('products and retailers are changed and deleted by the rules, each with an entry in the audit log', async () => {
  const slug = `product-${watchId}`;
  const change = (changes: object) => productOperations.change.run(context(), OPERATOR, { slug, ...changes });
  expect(
    await change({ title: 'Chest', gtin: '5012345678900', releasedOn: '2026-12-04', listPrice: 49.99 }),
  ).toMatchObject({
    title: 'Chest',
    gtin: '5012345678900',
    released_on: '2026-12-04',
    list_price_amount: 4_999,
    currency: 'GBP',
  });
  expect(await change({ listPrice: null, brand: 'Ember' })).toMatchObject({ currency: null, brand: 'Ember' });
  const other = await insertProductWatch(database.db);
  await expect(
    productOperations.change.run(context(), OPERATOR, { slug: `product-${other}`, gtin: '05012345678900' }),
  ).rejects.toMatchObject({ kind: 'Conflict', code: 'other_gtin' });
  for (const wrong of [
    { gtin: '5012345678901' },
    { releasedOn: '2026-02-30' },
    { listPrice: 0.001 },
    { listPrice: Number.NaN },
    { title: ' ' },
  ])
    expect([wrong, productOperations.change.input.safeParse({ slug, ...wrong }).success]).toEqual([
      wrong,
      false,
    ]);

  expect(await changeRetailer({ name: 'Tangle', supported: true })).toMatchObject({ supported: 1 });
  expect(await readWatch(database.db, watchId)).toMatchObject({ shop: 'Tangle' });

  const remove = () => productOperations.remove.run(context(), OPERATOR, { slug });
  await expect(remove()).rejects.toMatchObject({ kind: 'Conflict', code: 'product_is_watched' });
  await database.db.updateTable('watches').set({ deleted_at: 'now' }).where('id', '=', watchId).execute();
  await remove();
  await expect(remove()).rejects.toMatchObject({ kind: 'NotFound', code: 'unknown_product' });
  const audit = database.db.selectFrom('audit_log').select('action').where('subject', '=', watchId);
  expect((await audit.orderBy('created_at').orderBy('id').execute()).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['product.change', 'retailer.change', 'product.remove']),
  );
});

test('a product is silent after half an hour without a verdict, not while its next check is planned', async () => {
  await database.db.deleteFrom('daemon_heartbeats').execute();
  const watch = async () => {
    await database.db.deleteFrom('daemon_heartbeats').execute();
    await addHeartbeat(database.db, now);
    await watchMonitor(database.db, { adminContacts: { emails: [] }, now });
    const { silence_notified_at } = await readWatch(database.db, watchId);
    return silence_notified_at !== null;
  };
  await database.db.updateTable('watches').set({ running: 0 }).where('id', '<>', watchId).execute();
  await database.db
    .updateTable('watches')
    .set({ running: 1, started_at: toIso(now) })
    .where('id', '=', watchId)
    .execute();
  await check({});
  now += 20 * MINUTE;
  expect(await watch()).toBe(false);
  // Its shop has so many products that the next check is due in an hour.
  const planned = toIso(now + HOUR);
  await database.db
    .updateTable('watches')
    .set({ next_check_at: planned })
    .where('id', '=', watchId)
    .execute();
  now += HOUR - MINUTE;
  expect(await watch()).toBe(false);

  await check({});
  await check({ ...UNKNOWN, unknownReason: 'discontinued', reason: 'The shop no longer sells it.' });
  now += 27 * MINUTE;
  expect(await watch()).toBe(false);
  now += 2 * MINUTE;
  expect(await watch()).toBe(true);
  const { body } = await database.db
    .selectFrom('admin_notices')
    .select('body')
    .where('kind', '=', 'silence_began')
    .where('dedupe_key', 'like', `silence-began:${watchId}%`)
    .executeTakeFirstOrThrow();
  expect(body).toContain('said: The shop no longer sells it. If the shop no longer sells it, stop or delete');
});
