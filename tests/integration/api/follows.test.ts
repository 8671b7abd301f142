import { afterAll, beforeAll, expect, it } from 'vitest';
import { listOwnSuggestions } from '#shared/follows/suggestions';
import { insertProductWatch, productCheck } from '../monitor/product-watch';
import { storeCheck } from '../alerts/finished-check';
import { MINUTE, systemClock } from '#shared/clock';
import { callApi, createApiFixture, type ApiFixture } from './api-fixture';

let api: ApiFixture;
beforeAll(async () => {
  api = await createApiFixture();
});
afterAll(() => api.cleanup());

const call = (method: string, path: string, token: string, body?: unknown) =>
  callApi(method, `/api/products${path}`, { token, body });

interface ListedFollow {
  product: { slug: string; state: string | null };
  counts: boolean;
}
const listed = async (token: string) =>
  (await call('GET', '/following', token)).body.follows as ListedFollow[];

async function newProduct(title = 'Ember Hollow chest'): Promise<string> {
  const id = await insertProductWatch(api.db, { title });
  return `product-${id}`;
}

it('a follow is stored as it was sent, replaced, listed with the state of the product, and ended', async () => {
  const token = await api.tokenOf('member');
  const slug = await newProduct();
  await storeCheck(
    api.db,
    systemClock,
    productCheck(slug.replace('product-', ''), { availability: 'limited' }),
  );
  const fields = {
    wants: ['price_drop', 'restock', 'restock'],
    maxPrice: 49.99,
    retailers: ['Tanglewood Cards'],
    variants: ['fox'],
    quietHours: { from: 22, to: 7 },
  };
  expect(await call('PUT', `/${slug}/follow`, token, fields)).toMatchObject({
    status: 200,
    body: { success: true, message: 'You follow Ember Hollow chest.' },
  });
  const [follow] = await listed(token);
  expect(follow).toEqual({
    ...fields,
    wants: ['restock', 'price_drop'],
    product: {
      slug,
      title: 'Ember Hollow chest',
      state: 'limited',
      price: { amount: 49.99, currency: 'GBP' },
      retailer: 'Tanglewood Cards',
      retired: false,
    },
    counts: true,
    followedAt: expect.any(String) as string,
  });
  await call('PUT', `/${slug}/follow`, token, { wants: ['preorder'], quietHours: { from: 3, to: 3 } });
  expect(await listed(token)).toEqual([
    expect.objectContaining({ wants: ['preorder'], maxPrice: null, retailers: null, quietHours: null }),
  ]);
  for (let time = 0; time < 2; time += 1)
    expect((await call('DELETE', `/${slug}/follow`, token)).body).toMatchObject({
      message: 'You no longer follow Ember Hollow chest.',
    });
  expect(await listed(token)).toEqual([]);
});

it('without Pro the state of a product that has just come back is that of before, until the free audience is told', async () => {
  const [free, pro] = [await api.tokenOf('member'), await api.tokenOf('pro')];
  const slug = await newProduct();
  const states = async () => {
    const products = [];
    for (const token of [free, pro]) {
      await call('PUT', `/${slug}/follow`, token, { wants: ['restock'] });
      const follows = await listed(token);
      products.push(follows.find(({ product }) => product.slug === slug)?.product.state);
    }
    return products;
  };
  const see = (availability: 'in_stock' | 'out_of_stock', agoMs: number) => {
    const now = Date.now() - agoMs;
    return storeCheck(
      api.db,
      { now: () => now },
      productCheck(slug.replace('product-', ''), { availability }),
    );
  };
  expect(await states()).toEqual([null, null]);
  await see('out_of_stock', MINUTE);
  await see('in_stock', 0);
  expect(await states()).toEqual(['out_of_stock', 'in_stock']);
});

it('what cannot be followed is refused with a reason', async () => {
  const token = await api.tokenOf('member');
  const slug = await newProduct();
  const refusals: [object, string][] = [
    [{ wants: [] }, 'Please choose at least one kind of alert.'],
    [{ wants: ['gossip'] }, 'This is not a kind of alert.'],
    [{ wants: Array.from({ length: 1_000 }, () => 'restock') }, 'wants is too long.'],
    [{ wants: ['price_drop'] }, 'Please enter the price at which we should alert you.'],
    [{ wants: ['restock'], maxPrice: -1 }, 'Please enter an amount above £0.'],
    [{ wants: ['restock'], maxPrice: 1.234 }, 'Please enter whole pence, such as 49.99.'],
    [{ wants: ['restock'], maxPrice: 1e9 }, 'Please enter an amount up to £100,000.'],
    [{ wants: ['restock'], retailers: ['constructor'] }, 'No retailer called constructor'],
    [{ wants: ['restock'], retailers: [] }, 'Please choose at least one retailer.'],
    [{ wants: ['restock'], variants: ['x'.repeat(201)] }, 'too long'],
    [{ wants: ['restock'], quietHours: { from: 22, to: 24 } }, 'quietHours'],
  ];
  for (const [body, reason] of refusals) {
    const { status, body: answer } = await call('PUT', `/${slug}/follow`, token, body);
    expect([status, JSON.stringify(answer)], reason).toEqual([422, expect.stringContaining(reason)]);
  }
  for (const unknown of ['constructor', 'unknown', '%00'])
    expect((await call('PUT', `/${unknown}/follow`, token, { wants: ['restock'] })).status).toBe(404);
});

it('a member follows five products, with Pro a hundred; after Pro ends the oldest five count', async () => {
  const free = await api.tokenOf('member');
  const pro = await api.tokenOf('pro');
  const slugs = [];
  for (let count = 0; count < 6; count += 1) slugs.push(await newProduct());
  const follow = (slug: string, token: string) =>
    call('PUT', `/${slug}/follow`, token, { wants: ['restock'] });
  const statuses = [];
  for (const slug of slugs) statuses.push((await follow(slug, free)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 409]);
  expect((await follow(slugs[5] ?? '', free)).body).toMatchObject({ code: 'follow_limit' });
  // Changing one is always possible, and a deleted product makes room.
  expect((await follow(slugs[0] ?? '', free)).status).toBe(200);
  await api.db
    .updateTable('products')
    .set({ deleted_at: '2026-01-01T00:00:00.000Z' })
    .where('slug', '=', slugs[0] ?? '')
    .execute();
  expect((await follow(slugs[5] ?? '', free)).status).toBe(200);

  for (const slug of slugs.slice(1)) expect((await follow(slug, pro)).status).toBe(200);
  await follow(await newProduct(), pro);
  expect((await listed(pro)).map(({ counts }) => counts)).toEqual([true, true, true, true, true, true]);
  await api.db.updateTable('subscriptions').set({ status: 'canceled' }).execute();
  expect((await listed(pro)).map(({ counts }) => counts)).toEqual([true, true, true, true, true, false]);
});

it('suggestions are counted by address, bounded, and removed by an admin', async () => {
  const [member, other, admin] = [
    await api.tokenOf('member'),
    await api.tokenOf('member'),
    await api.tokenOf('admin'),
  ];
  const suggest = (url: string, token = member) => call('POST', '/suggestions', token, { url });
  for (const url of ['', 'chest', 'javascript:alert(1)', 'https://user@shop.example/', 'http://shop/'])
    expect((await suggest(url)).status, url).toBe(422);
  expect((await suggest('https://Shop.example/box#top')).status).toBe(200);
  expect((await suggest(' https://shop.example/box ')).status).toBe(200);
  expect((await suggest('https://shop.example/box', other)).status).toBe(200);
  const suggestions = async () =>
    ((await call('GET', '/suggestions', admin)).body.data as { suggestions: { id: string }[] }).suggestions;
  const [first, ...more] = await suggestions();
  expect([first, more]).toEqual([
    expect.objectContaining({ url: 'https://shop.example/box', members: 2 }),
    [],
  ]);
  for (let count = 1; count < 20; count += 1) await suggest(`https://shop.example/${count}`);
  expect((await suggest('https://shop.example/one-more')).body).toMatchObject({ code: 'suggestion_limit' });
  expect((await call('DELETE', `/suggestions/${first?.id}`, admin)).status).toBe(200);
  expect((await call('DELETE', `/suggestions/${first?.id}`, admin)).status).toBe(404);
  // One that is dismissed with a reason is shown to its member, and may be made again.
  const [next] = await suggestions();
  const reason = 'The shop forbids checks.';
  const dismiss = `/suggestions/${next?.id}?${new URLSearchParams({ reason })}`;
  expect((await call('DELETE', dismiss, admin)).status).toBe(200);
  expect(await suggestions()).toHaveLength(18);
  const { user_id: userId, url } = await api.db
    .selectFrom('product_suggestions')
    .select(['user_id', 'url'])
    .where('dismissed_at', 'is not', null)
    .executeTakeFirstOrThrow();
  const own = await listOwnSuggestions(api.db, userId);
  expect(own.filter(({ dismissedAt }) => dismissedAt !== null)).toMatchObject([{ url, reason }]);
  expect((await suggest(url)).status).toBe(200);
  expect(await suggestions()).toHaveLength(19);
  await insertProductWatch(api.db, { url: 'https://watched.example/box' });
  expect((await suggest('https://watched.example/box', other)).body).toMatchObject({
    code: 'already_watched',
  });
});
