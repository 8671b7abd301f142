import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '#shared/clock';
import { changeProduct } from '#shared/monitor/products/change-product';
import { describePreview } from '#shared/monitor/products/describe-preview';
import { productOperations } from '#shared/monitor/products/product-operations';
import { requireProduct } from '#shared/monitor/products/products';
import { storedImageOf } from '#shared/monitor/products/stored-image';
import { createPublicWeb, type PublicWeb } from '#shared/network/public-web.server';
import { openStorage } from '#shared/storage/open-storage.server';
import { uploadIdOf } from '#shared/storage/upload-path';
import type { Daemon } from '../../../daemon/daemon';
import { createMonitorFixture, eventually, type MonitorFixture } from './monitor-fixture';
import { insertProductWatch } from './product-watch';

let fixture: MonitorFixture;
let daemon: Daemon;
let web: PublicWeb;
beforeAll(async () => {
  fixture = await createMonitorFixture({ webhooks: [] });
  web = createPublicWeb({ allowedPrivateHosts: fixture.config.allowedPrivateHosts });
  daemon = await fixture.startDaemon();
});
afterAll(async () => {
  await web.close();
  await fixture.cleanup();
});

const preview = (url: string, waitMs = MINUTE) =>
  productOperations.preview.run({ ...fixture, web, waitMs }, { actor: { userId: null } }, { url });
const read = (id: string) => describePreview(fixture.db, id, fixture.clock.now());

test('a preview shows what the judge sees, what contradicts it, and what we have already', async () => {
  const { products } = fixture.sandbox.shop;
  products.put('ember-chest', {
    name: 'Ember chest',
    gtin: '5012345678900',
    state: 'out',
    pence: 4_999,
    lies: { jsonLd: 'in_stock' },
  });
  products.put('sleeves', {
    name: 'Card sleeves',
    variants: [
      { name: 'Red', state: 'out' },
      { name: 'Blue', state: 'in_stock', pence: 599 },
    ],
  });
  const url = products.url('ember-chest');
  const watchId = await insertProductWatch(fixture.db, { url });
  await fixture.db.updateTable('watches').set({ running: 0 }).where('id', '=', watchId).execute();
  await fixture.db
    .updateTable('products')
    .set({ gtin: '05012345678900', title: 'The chest' })
    .where('id', '=', watchId)
    .execute();

  const { id, seen } = await preview(`${url}#reviews`);
  expect(await read(id)).toEqual({ id, url, requestedAt: expect.any(String), seen });
  expect(seen).toMatchObject({
    availability: 'out_of_stock',
    price: { amount: 49.99, currency: 'GBP' },
    title: 'Ember chest',
    gtin: '5012345678900',
    status: 200,
    finalUrl: url,
    error: null,
    robots: null,
    platform: null,
    known: { slug: `product-${watchId}`, title: 'The chest' },
    retailer: null,
    watches: [{ slug: `watch-${watchId}`, variantKey: null }],
  });
  expect(seen?.contradictions).toMatchObject([{ source: 'structured_data', says: 'in_stock' }]);
  expect(seen?.signs.length).toBeGreaterThan(1);

  products.put('ember-sleeves', { name: 'Ember sleeves', platform: 'shopify' });
  expect((await preview(products.url('ember-sleeves'))).seen?.platform).toMatchObject({
    fetchAs: 'shopify_json',
    agrees: true,
  });
  const forbidding = await products.putHost('forbidding', {
    robots: { status: 200, text: 'User-agent: *\nDisallow: /', delayMs: 0 },
  });
  expect((await preview(`${forbidding.origin}/products/ember-chest`)).seen).toMatchObject({
    unknownReason: 'robots',
    status: 0,
    robots: expect.stringContaining('does not allow this page') as string,
  });

  const sleeves = await preview(products.url('sleeves'));
  expect(
    sleeves.seen?.variants.map(({ name, availability, price }) => [name, availability, price?.amount]),
  ).toEqual([
    ['Red', 'out_of_stock', 49.99],
    ['Blue', 'in_stock', 5.99],
  ]);
  // Nothing but the preview was stored.
  expect(await fixture.db.selectFrom('monitor_checks').select('id').execute()).toEqual([]);
});

test('a page that answers late is looked at again; one that does not answer says why', async () => {
  const { products } = fixture.sandbox.shop;
  products.put('late', { name: 'Late', delayMs: 1_500 });
  const { id, seen } = await preview(products.url('late'), SECOND / 10);
  expect(seen).toBeNull();
  await eventually(async () => expect((await read(id))?.seen).toMatchObject({ title: 'Late' }));

  products.put('gone', { mode: 'reset' });
  expect((await preview(products.url('gone'))).seen).toMatchObject({
    status: 0,
    availability: 'unknown',
    unknownReason: 'error',
    error: expect.stringMatching(/\w/) as string,
  });
  products.put('wall', { mode: 'bot-wall' });
  expect((await preview(products.url('wall'))).seen).toMatchObject({ availability: 'unknown' });
});

test('a page of a shop whose robots.txt asks for long pauses is looked at later, and says when', async () => {
  const { products } = fixture.sandbox.shop;
  const { origin } = await products.putHost('patient', {
    robots: { status: 200, text: 'User-agent: *\nCrawl-delay: 99999', delayMs: 0 },
  });
  const { seen } = await preview(`${origin}/products/in-stock`);
  expect(seen).toMatchObject({ availability: 'unknown', status: 0 });
  expect(seen?.error).toMatch(
    /^The robots\.txt of this shop asks for long pauses: we send one request in 5 minutes\. Look at the page again in [56] minutes\.$/,
  );
});

test('the image of a page is fetched once, stored and replaced; one that cannot be had says why and stops nothing', async () => {
  const { db, clock, sandbox } = fixture;
  const { products } = sandbox.shop;
  // Only one of two daemons may request it.
  const other = await fixture.startDaemon();
  const storage = openStorage(fixture.config, 'uploads');
  const shop = await products.putHost('images');
  products.put('pictured', { name: 'Pictured', image: 'square' });
  const { seen } = await preview(`${shop.origin}/products/pictured`);
  expect(seen?.imageUrl).toBe(`${shop.origin}/images/pictured.png`);

  const slug = `product-${await insertProductWatch(db, { url: products.url('pictured') })}`;
  const change = (imageUrl: string | null) =>
    changeProduct(db, { slug, changes: { imageUrl }, actor: { userId: null }, clock });
  const settled = (fault: string | null) =>
    eventually(async () => {
      const product = await requireProduct(db, slug);
      expect(product).toMatchObject({ image_pending: 0, image_fault: fault });
      return storedImageOf(product);
    });
  const requests = () => products.hosts().find(({ name }) => name === 'images')?.requests ?? 0;
  const before = requests();
  const filesOf = (path = '') => storage.size(uploadIdOf(path) ?? '', 'share.jpeg');

  await change(seen?.imageUrl ?? '');
  const first = await settled(null);
  expect(first).toMatchObject({
    path: expect.stringMatching(/^\/uploads\/.+\/600\.webp$/) as string,
    width: 600,
    height: 600,
  });
  expect(await filesOf(first?.path)).toBeGreaterThan(0);
  // However often the same address is saved.
  await change(seen?.imageUrl ?? '');
  await settled(null);
  expect(requests()).toBe(before + 1);

  // What cannot be shown is named, and the image that is stored stays.
  for (const [image, fault] of [
    ['missing', 'answered with HTTP 404.'],
    ['page', 'no JPEG, PNG, WebP, GIF or AVIF image'],
    ['pixel', 'The image is too small: 1 by 1 pixels.'],
  ] as const) {
    products.put(`image-${image}`, { image });
    await change(`${sandbox.origin}/images/image-${image}.png`);
    expect(await settled(expect.stringContaining(fault) as string)).toEqual(first);
  }
  await change('http://169.254.169.254/box.png');
  expect(await settled(expect.stringMatching(/169\.254/) as string)).toEqual(first);

  products.put('image-new', { image: 'square' });
  await change(`${sandbox.origin}/images/image-new.png`);
  const second = await settled(null);
  expect(second?.path).not.toBe(first?.path);
  // The files go after the transaction that names the new image.
  await eventually(async () => expect(await filesOf(first?.path)).toBeNull());
  await change(null);
  expect(await settled(null)).toBeNull();
  const [upload] = await db
    .selectFrom('uploads')
    .select('status')
    .where('id', '=', uploadIdOf(second?.path ?? ''))
    .execute();
  expect(upload).toEqual({ status: 'deleted' });
  await other.stop();
});

test('addresses of our own network are refused, previews expire, and a daemon that does not run is named', async () => {
  await expect(preview('http://169.254.169.254/latest')).rejects.toMatchObject({
    code: 'address_not_public',
    fieldErrors: { url: [expect.any(String)] },
  });
  const { products } = fixture.sandbox.shop;
  const { id } = await preview(products.url('late'));
  expect(await describePreview(fixture.db, id, fixture.clock.now() + HOUR + MINUTE)).toBeNull();
  await daemon.stop();
  await expect(preview(products.url('late'))).rejects.toMatchObject({
    kind: 'Unavailable',
    message: 'Failed to look at the page: the daemon is not running.',
  });
});
