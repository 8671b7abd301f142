import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../start-sandbox';
import type { ProductChange } from './product-setting';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const set = (change: ProductChange) => sandbox.shop.products.put('chest', change);
const visit = (path = '/products/chest', headers: Record<string, string> = {}) =>
  fetch(sandbox.origin + path, { headers });
const text = async (path?: string) => (await visit(path)).text();

async function control(method: string, path: string, value?: unknown) {
  const response = await fetch(`${sandbox.origin}/control/shop${path}`, {
    method,
    body: value === undefined ? undefined : JSON.stringify(value),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('a product is added, changed field by field, listed with its address, and removed', async () => {
  const made = await control('PUT', '/products/chest', { pence: 2_500, gtin: '5026420066131' });
  expect(made.body).toMatchObject({
    state: 'in_stock',
    name: 'Chest',
    url: `${sandbox.origin}/products/chest`,
  });
  await control('PUT', '/products/chest', { state: 'preorder' });
  const page = await text();
  expect(page).toContain('£25.00');
  expect(page).toContain('Pre-order now');
  expect(page).toContain('"availability":"https://schema.org/PreOrder"');
  expect(page).toContain('"gtin":"5026420066131"');
  const { products } = (await control('GET', '/products')).body as { products: { slug: string }[] };
  expect(products.map(({ slug }) => slug)).toContain('chest');
  expect((await control('PUT', '/products/chest', { state: 'sold' })).status).toBe(400);
  expect((await control('PUT', '/products/No%20Slug', {})).status).toBe(400);
  expect((await control('DELETE', '/products/chest')).status).toBe(200);
  expect((await control('DELETE', '/products/chest')).status).toBe(404);
  expect((await visit()).status).toBe(404);
});

test('a false claim of a product is only in its data', async () => {
  set({ state: 'out', lies: { jsonLd: 'in_stock', json: 'in_stock' }, platform: 'shopify' });
  expect(await text()).toContain('schema.org/InStock');
  expect(await text()).toMatch(/disabled>\s*Sold out/);
  expect(await (await visit('/products/chest.js')).json()).toMatchObject({ available: true });
});

test('each platform answers its own JSON, the others none', async () => {
  set({
    platform: 'shopify',
    pence: 999,
    variants: [
      { name: 'Fox', state: 'in_stock' },
      { name: 'Heron', state: 'out', pence: 1_099 },
    ],
  });
  const shopify = await (await visit('/products/chest.js')).json();
  expect(shopify).toMatchObject({
    price: 999,
    available: true,
    variants: [
      { id: 4_400_001, title: 'Fox', available: true, price: 999 },
      { id: 4_400_002, title: 'Heron', available: false, price: 1_099 },
    ],
  });
  expect(await text('/products/chest?variant=4400002')).toContain('£10.99');
  const store = '/wp-json/wc/store/v1/products?slug=chest';
  expect((await visit(store)).status).toBe(404);
  set({ platform: 'woo', variants: [], state: 'limited' });
  expect((await visit('/products/chest.js')).status).toBe(404);
  expect(await (await visit(store)).json()).toMatchObject([
    { is_in_stock: true, low_stock_remaining: 2, prices: { price: '999', currency_code: 'GBP' } },
  ]);
});

test('a product that flaps is out of stock at every second request', async () => {
  set({ flaps: 'request' });
  const seen = [];
  for (let count = 0; count < 4; count += 1) seen.push((await text()).includes('Add to basket'));
  expect(seen).toEqual([true, false, true, false]);
});

test('an unchanged page is a 304, unless the product has no validators', async () => {
  const first = await visit('/products/ember-hollow-collector-chest');
  const etag = first.headers.get('etag') ?? '';
  expect(first.headers.get('last-modified')).not.toBeNull();
  const again = () => visit('/products/ember-hollow-collector-chest', { 'if-none-match': etag });
  expect((await again()).status).toBe(304);
  sandbox.shop.products.put('ember-hollow-collector-chest', { pence: 4_500 });
  expect((await again()).status).toBe(200);
  sandbox.shop.products.put('ember-hollow-collector-chest', { validators: false });
  expect((await again()).headers.get('etag')).toBeNull();
});

/** How many requests the sandbox's own shop has received. */
async function countRequests(): Promise<number> {
  const { hosts } = (await control('GET', '/hosts')).body as { hosts: { name: string; requests: number }[] };
  return hosts.find(({ name }) => name === 'tanglewood')?.requests ?? 0;
}

test('walls, rooms and errors replace the page: those of the product, else those of the shop', async () => {
  set({ mode: 'cloudflare-challenge', retryAfter: '30' });
  const wall = await visit();
  expect([wall.status, wall.headers.get('retry-after')]).toEqual([403, '30']);
  set({ mode: 'missing' });
  expect((await visit()).status).toBe(404);
  set({ mode: 'gone' });
  expect((await visit()).status).toBe(410);
  set({ mode: 'reset' });
  await expect(visit()).rejects.toThrow();
  set({ mode: null, retryAfter: null });
  sandbox.shop.show('words-room');
  expect(await text()).toContain('You’re in line');
  expect(sandbox.shop.requests()).toEqual([]);
  set({ mode: 'open', kilobytes: 300 });
  const { length } = await text();
  expect(length).toBeGreaterThan(300_000);
  expect(length).toBeLessThan(310_000);
  set({ mode: 'hang' });
  const seen = await countRequests();
  const stop = new AbortController();
  const hanging = fetch(`${sandbox.origin}/products/chest`, { signal: stop.signal });
  // A request that arrives after the end of this test would be counted in the next one.
  await expect.poll(countRequests).toBe(seen + 1);
  stop.abort();
  await expect(hanging).rejects.toThrow();
});

test('hosts have their own robots.txt and count their own requests', async () => {
  expect((await visit('/robots.txt')).status).toBe(404);
  const robots = { text: 'User-agent: *\nDisallow: /products/' };
  const other = (await control('PUT', '/hosts/briar', { robots })).body as { origin: string };
  expect((await control('PUT', '/hosts/briar', {})).body).toMatchObject({ origin: other.origin });
  expect(await (await fetch(`${other.origin}/robots.txt`)).text()).toBe(robots.text);
  sandbox.shop.show('error');
  expect((await fetch(`${other.origin}/products/in-stock`)).status).toBe(200);
  await control('PUT', '/hosts/tanglewood', { robots: { status: 500 } });
  expect((await visit('/robots.txt')).status).toBe(500);
  const { hosts } = (await control('GET', '/hosts')).body as { hosts: unknown[] };
  expect(hosts).toMatchObject([
    { name: 'tanglewood', requests: 2 },
    { name: 'briar', requests: 2, busiestMinute: 2, mostAtOnce: 1 },
  ]);
});

test('the panel lists the products and sets a state', async () => {
  const field = new URLSearchParams({ _method: 'PUT', state: 'out', pence: '1250' });
  const response = await fetch(`${sandbox.origin}/control/shop/products/in-stock`, {
    method: 'POST',
    body: field,
    redirect: 'manual',
  });
  expect(response.status).toBe(303);
  expect(sandbox.shop.products.find('in-stock')).toMatchObject({ state: 'out', pence: 1_250 });
  expect(await text('/')).toContain('aria-label="State of Ember Hollow collector chest"');
});
