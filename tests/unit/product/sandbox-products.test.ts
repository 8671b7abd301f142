import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { judgeCase } from './product-pages';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/**
 * What the judge says of an address of the sandbox's shop: availability, detail or reason, price. `title`: the one that the watch
 * knows.
 */
async function judged(path: string, title: string | null = null): Promise<string> {
  const url = sandbox.origin + path;
  const response = await fetch(url);
  const product = judgeCase({
    body: await response.text(),
    url,
    requested: url,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    title,
  });
  const { availability, detail, unknownReason, price } = product;
  return [availability, detail ?? unknownReason, price?.amount].filter(Boolean).join(' ');
}

it('the judge sees in the products of the sandbox what they are set to', async () => {
  const { products } = sandbox.shop;
  products.put('lies', { state: 'out', lies: { jsonLd: 'in_stock' } });
  products.put('challenged', { mode: 'cloudflare-challenge' });
  products.put('roomy', { mode: 'words-room' });
  products.put('gone', { mode: 'gone' });
  products.put('missing', { mode: 'missing' });
  products.put('large', { kilobytes: 600, wasPence: 6_999 });
  products.put('tin', {
    platform: 'shopify',
    variants: [
      { name: 'Fox', state: 'in_stock' },
      { name: 'Heron', state: 'out', pence: 1_099 },
    ],
  });
  products.put('box', { platform: 'woo', state: 'limited' });
  products.put('later', { platform: 'woo', state: 'backorder' });
  const paths = {
    'in-stock': 'in_stock 4999',
    limited: 'limited low_stock 4999',
    out: 'out_of_stock 4999',
    preorder: 'preorder release 4999',
    backorder: 'preorder backorder 4999',
    'other-seller': 'out_of_stock marketplace_only',
    'in-store-only': 'out_of_stock in_store_only 4999',
    'coming-soon': 'out_of_stock coming_soon 4999',
    lies: 'out_of_stock 4999',
    challenged: 'unknown challenge',
    roomy: 'unknown waiting_room',
    gone: 'unknown discontinued',
    missing: 'unknown error',
    large: 'in_stock 4999',
    tin: 'in_stock 4999',
    'tin?variant=4400002': 'out_of_stock 1099',
    'tin.js': 'in_stock 4999',
    'tin.js?variant=4400002': 'out_of_stock 1099',
  };
  const seen: Record<string, string> = {};
  for (const path of Object.keys(paths)) seen[path] = await judged(`/products/${path}`);
  expect(seen).toEqual(paths);
  const store = (slug: string) => judged(`/wp-json/wc/store/v1/products?slug=${slug}`);
  expect(await store('box')).toBe('limited low_stock 4999');
  expect(await store('later')).toBe('preorder backorder 4999');
});

it('a wall, a page that is gone and a missing page are that for a watch that knows the title of its product, too', async () => {
  const { products } = sandbox.shop;
  const modes = {
    'cloudflare-challenge': 'unknown challenge',
    'bot-wall': 'unknown blocked',
    'akamai-denied': 'unknown blocked',
    'imperva-page': 'unknown waiting_room',
    'cloudflare-room': 'unknown waiting_room',
    'words-room': 'unknown waiting_room',
    error: 'unknown error',
    empty: 'unknown error',
    gone: 'unknown discontinued',
    missing: 'unknown error',
  } as const;
  const seen: Record<string, string> = {};
  for (const mode of Object.keys(modes) as (keyof typeof modes)[]) {
    products.put('chest', { mode });
    seen[mode] = await judged('/products/chest', 'Ember Hollow chest');
  }
  expect(seen).toEqual(modes);
});
