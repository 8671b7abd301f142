import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMonitorFixture, type MonitorFixture } from '../monitor/monitor-fixture';
import { storeCheck } from '../alerts/finished-check';
import { productCheck } from '../monitor/product-watch';
import { requireWatch } from '#shared/monitor/watches/watches';
import { TOOLS } from '../tools';

let fixture: MonitorFixture;
beforeAll(async () => {
  fixture = await createMonitorFixture({ webhooks: [] });
});
afterAll(() => fixture.cleanup());

const monitor = (...args: string[]) => TOOLS.monitor([...args, '--json'], fixture.environment);
const resultOf = ({ stdout }: { stdout: string }): unknown =>
  JSON.parse(stdout.trim().split('\n').at(-1) ?? '');

it('adds the watch of a product, changes the product and its shop, and deletes both', async () => {
  fixture.sandbox.shop.products.put('chest', { name: 'Ember chest' });
  const url = fixture.sandbox.shop.products.url('chest');
  const { host } = new URL(url);
  const added = await monitor('product', 'add', '--url', url, '--title', 'Ember chest');
  expect(resultOf(added)).toMatchObject({
    success: true,
    watch: { kind: 'product', shop: host, product: { slug: 'ember-chest', retailer: host } },
  });
  const { slug } = (resultOf(added) as { watch: { slug: string } }).watch;
  expect(resultOf(await monitor('product', 'add', '--url', url))).toMatchObject({
    code: 'already_watched',
  });

  const set = ['product', 'set', 'ember-chest'];
  expect(resultOf(await monitor(...set, '--list-price', '49.99', '--gtin', '96385074'))).toMatchObject({
    message: 'Ember chest is saved.',
  });
  for (const wrong of [
    ['--gtin', '96385075'],
    ['--list-price', 'cheap'],
    ['--released', '2026-02-30'],
    ['--title', ''],
    [],
  ])
    expect([wrong, (await monitor(...set, ...wrong)).code]).toEqual([wrong, 2]);
  const shop = ['retailer', 'set', host];
  await monitor(...shop, '--name', 'Tanglewood', '--canary', slug, '--supported', 'yes');
  expect((await monitor(...shop, '--supported', 'perhaps')).code).toBe(2);
  expect(resultOf(await monitor('retailer'))).toMatchObject({
    retailers: [
      { host, name: 'Tanglewood', supported: true, canary: `Ember chest @ ${host}`, isHeld: false },
    ],
  });

  // In the words of products, not of waiting rooms.
  await storeCheck(fixture.db, fixture.clock, {
    ...productCheck((await requireWatch(fixture.db, slug)).id, {
      availability: 'out_of_stock',
      detail: 'ballot',
    }),
    targetUrl: url,
  });
  const text = async (...args: string[]) => (await TOOLS.monitor(args, fixture.environment)).stdout;
  expect(await text('status', '--watch', slug)).toMatch(
    /The page shows +out of stock \(ballot\) \(The button .*\)\nSettled +out of stock \(ballot\), £49\.99, since /,
  );
  expect(await text('history', '--watch', slug)).toMatch(/ out of stock \(ballot\) +200 /);
  await monitor('watch', 'set', slug, '--paid-fetch', 'yes', '--robots-permission', 'By mail, Ms Ash');
  expect((await monitor('watch', 'set', slug, '--paid-fetch', 'constructor')).code).toBe(2);
  expect(resultOf(await monitor('watch', 'list'))).toMatchObject({
    watches: expect.arrayContaining([
      expect.objectContaining({
        slug,
        product: expect.objectContaining({ paidFetch: true, robotsPermission: 'By mail, Ms Ash' }) as unknown,
      }),
    ]) as unknown,
  });
  await monitor('product', 'retire', 'ember-chest');
  expect(resultOf(await monitor('start', '--watch', slug))).toMatchObject({ code: 'product_retired' });
  await monitor('product', 'restore', 'ember-chest');

  expect(resultOf(await monitor('product', 'remove', 'ember-chest'))).toMatchObject({
    code: 'product_is_watched',
  });
  await monitor('watch', 'remove', slug);
  expect(resultOf(await monitor('product', 'remove', 'ember-chest'))).toMatchObject({
    message: 'Ember chest is deleted.',
  });
  expect((await monitor('judge', '--cases', '--kind', 'product')).code).toBe(2);
  expect(resultOf(await monitor('judge', '--cases'))).toMatchObject({ success: true, cases: [] });
});
