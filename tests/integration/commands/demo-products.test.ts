import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMonitorFixture, type MonitorFixture } from '../monitor/monitor-fixture';
import { TOOLS } from '../tools';

let fixture: MonitorFixture;
beforeAll(async () => {
  fixture = await createMonitorFixture({ webhooks: [] });
});
afterAll(() => fixture.cleanup());

const seed = (...args: string[]) => TOOLS.seed(args, fixture.environment);
const watched = () =>
  fixture.db
    .selectFrom('watches')
    .innerJoin('products', 'products.id', 'watches.product_id')
    .select(['products.title', 'watches.shop', 'watches.running', 'watches.id', 'watches.deleted_at'])
    .orderBy('products.title')
    .execute();

test('the seed watches products of the sandbox’s shop once: one that is deleted stays deleted', async () => {
  const { origin } = new URL(fixture.sandbox.shop.products.url('any'));
  const first = await seed('--shop', `${origin}/shop/en-gb`);
  expect([first.code, first.stdout]).toEqual([
    0,
    expect.stringContaining('Winter Lantern gift tin is watched.'),
  ]);
  const added = await watched();
  expect(added).toMatchObject([
    { title: 'Ember Hollow booster box (24 packs)', shop: 'Tanglewood Cards', running: 1 },
    { title: 'Ember Hollow collector chest', shop: 'Tanglewood Cards', running: 1 },
    { title: 'Winter Lantern gift tin', shop: 'Tanglewood Cards', running: 1 },
  ]);
  const { slug } = await fixture.db
    .selectFrom('watches')
    .select('slug')
    .where('id', '=', String(added[0]?.id))
    .executeTakeFirstOrThrow();
  await TOOLS.monitor(['watch', 'remove', slug], fixture.environment);

  const second = await seed('--shop', `${origin}/shop/en-gb`);
  expect([second.code, second.stdout]).toEqual([0, 'Demo data is in place.\n']);
  expect((await watched()).filter(({ deleted_at }) => deleted_at === null)).toHaveLength(2);
});

test('a product that cannot be watched is named, and the seed continues', async () => {
  await fixture.db.deleteFrom('settings').where('key', '=', 'demo_data').execute();
  const { code, stdout } = await seed('--shop', 'http://192.0.2.77/');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/Winter Lantern gift tin is not watched: .+\n/)]);
});
