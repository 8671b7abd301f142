import type { LoaderFunctionArgs } from '@remix-run/node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY, MINUTE, SECOND, toIso } from '#shared/clock';
import type { ProductJudgement } from '#shared/monitor/checks/verdict';
import * as account from '~/routes/account/account';
import * as restock from '~/routes/site/restock';
import { loader as feed } from '~/routes/site/products/feed';
import { loader as csv } from '~/routes/site/products/prices-csv';
import * as list from '~/routes/site/products/products';
import { loader as releases } from '~/routes/site/products/releases';
import { loader as shareImage } from '~/routes/site/products/share-image';
import { callApi, createApiFixture, SITE, type ApiFixture } from '../api/api-fixture';
import { SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { storeCheck } from '../alerts/finished-check';
import { insertProductWatch, OUT, productCheck } from '../monitor/product-watch';
import { createRenderedSite } from '../rendered-site';

const TITLE = 'Ember </script><b>Chest</b>, "Édition"; \\ '.concat('very '.repeat(12), 'long');
const pages = createRenderedSite({ '/restock': list, '/restock/:productId': restock, '/account': account });

let fixture: ApiFixture;
let watchId: string;
let now: number;

beforeEach(async () => {
  fixture = await createApiFixture();
  now = Date.now() - 20 * MINUTE;
  watchId = await insertProductWatch(fixture.db, {
    title: TITLE,
    retailer: '=Tanglewood',
    fields: { slug: 'chest', gtin: '5012345678900', released_on: toIso(Date.now() + DAY).slice(0, 10) },
  });
  await check(OUT, 0);
});
afterEach(() => fixture.cleanup());

async function check(seen: Partial<ProductJudgement> = {}, afterMs = 2 * MINUTE): Promise<string> {
  now += afterMs;
  await storeCheck(fixture.db, { now: () => now }, productCheck(watchId, seen));
  return toIso(now);
}

type Loader = (args: LoaderFunctionArgs) => unknown;

async function ask(loader: Loader, path: string, { token = '', slug = 'chest' } = {}): Promise<Response> {
  const request = new Request(SITE + path, { headers: { Cookie: `${SESSION_COOKIE}=${token}` } });
  const answer: unknown = await Promise.resolve(
    loader({ request, params: { productId: slug }, context: {} }),
  ).catch((thrown: unknown) => thrown);
  if (!(answer instanceof Response)) throw answer;
  return answer;
}

test('a page does not say in stock while the first check without stock keeps the alert open', async () => {
  await check();
  for (const [availability, sentence] of [
    ['preorder', 'It can be pre-ordered at'],
    ['in_stock', 'This product is now in stock!'],
    ['out_of_stock', 'Out of stock at'],
  ] as const) {
    await check({ availability });
    const { text } = await pages.get('/restock/chest', '');
    expect(text).toContain(sentence);
    expect(text.includes('This product is now in stock!')).toBe(availability === 'in_stock');
  }
});

test('a pre-order that ended because the product came in stock says so, to visitors when they are told of the stock', async () => {
  await check({ availability: 'preorder', detail: 'release' });
  // Ten seconds ago.
  await check({}, Date.now() - 10 * SECOND - now);
  const pro = await fixture.tokenOf('pro');
  const ended = /Last pre-order [^,]*, for \d+ minutes, until it came in stock/;
  expect((await pages.get('/restock/chest', pro)).text).toMatch(ended);
  const early = await pages.get('/restock/chest', '');
  expect(early.text).toContain('It can be pre-ordered at');
  expect(early.text).not.toContain('Last pre-order');
  const readAlerts = async () =>
    (await callApi('GET', '/api/products/chest/alerts')).body.data as { alerts: object[] };
  expect((await readAlerts()).alerts).toMatchObject([
    { kind: 'preorder', closedAt: null, lastedSeconds: null },
  ]);
  const readFeed = async () => (await ask(feed, '/restock/feed.xml')).text();
  expect(await readFeed()).not.toContain('It could be pre-ordered');
  // Half a minute later everybody knows.
  const opened = toIso(now - 31 * SECOND);
  await fixture.db.updateTable('alerts').set({ opened_at: opened }).where('kind', '=', 'restock').execute();
  await fixture.db.updateTable('alert_deliveries').set({ due_at: opened }).execute();
  await insertProductWatch(fixture.db, { title: 'Another' });
  expect((await pages.get('/restock/chest', '')).text).toMatch(ended);
  expect(await readFeed()).toMatch(/It could be pre-ordered for \d+ minutes, until it came in stock\./);
  expect((await readAlerts()).alerts).toHaveLength(2);
});

test('a page says that stock comes and goes, in stock and out of stock, and counts nothing down', async () => {
  for (let round = 0; round < 4; round += 1) {
    await check({}, 30 * SECOND);
    if (round === 3) break;
    expect((await pages.get('/restock/chest', '')).text).not.toContain('comes and goes');
    await check(OUT, 15 * SECOND);
    await check(OUT, 15 * SECOND);
  }
  const token = await fixture.tokenOf('pro');
  await callApi('PUT', '/api/products/chest/follow', { token, body: { wants: ['restock'] } });
  const sentence = 'Stock comes and goes at =Tanglewood: single units are added and sold.';
  const inStock = await pages.get('/restock/chest', token);
  expect(inStock.text).toContain(
    `This product is now in stock! Premium members were notified 30 seconds earlier. ${sentence}`,
  );
  expect(inStock.text).not.toContain('Time left to decide');
  expect((await pages.get('/account', token)).text).toContain(
    'In stock, £49.99 at =Tanglewood; it comes and goes',
  );
  for (let misses = 0; misses < 3; misses += 1) await check(OUT);
  expect((await pages.get('/restock/chest', token)).text).toContain(
    `Out of stock at =Tanglewood. ${sentence}`,
  );
});

test('the page of a product has its own data, at its slug and at that of its watch, and escapes it', async () => {
  const openedAt = await check();
  const visitor = await pages.get('/restock/chest?name=Free&price=1&source=discord', '');
  expect(visitor.status).toBe(200);
  expect(visitor.text).toContain(
    'This product is now in stock! Premium members were notified 30 seconds earlier.',
  );
  expect(visitor.text).toContain('£49.99');
  expect(visitor.text).toContain('Shared via discord.');
  expect(visitor.text).not.toContain('Free cards');
  expect(visitor.text).toContain('Go to =Tanglewood');
  expect(visitor.html).not.toContain('noindex');
  expect(visitor.html).toContain(`<link rel="canonical" href="${SITE}/restock/chest"`);
  expect(visitor.html).not.toContain('<b>Chest');
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(visitor.html) ?? [];
  expect((JSON.parse(json) as { '@graph': object[] })['@graph'][0]).toMatchObject({
    '@type': 'Product',
    name: TITLE,
    gtin13: '5012345678900',
    offers: {
      '@type': 'AggregateOffer',
      lowPrice: 49.99,
      offerCount: 1,
      priceCurrency: 'GBP',
      offers: [{ availability: 'https://schema.org/InStock', price: 49.99, seller: { name: '=Tanglewood' } }],
    },
  });
  const byWatch = await pages.get(`/restock/watch-${watchId}`, '');
  expect(byWatch.html).toContain(`<link rel="canonical" href="${SITE}/restock/chest"`);
  expect(byWatch.html).toContain(openedAt);

  // The advanced history is for members with Pro.
  expect(visitor.text).toContain('With Premium: every retailer');
  expect(visitor.text).not.toContain('When to be awake');
  const pro = await pages.get('/restock/chest', await fixture.tokenOf('pro'));
  expect(pro.text).toContain('When to be awake');
  expect(pro.text).toContain('Download as a file (CSV)');
});

test('a product says that it was not checked yet, and after its first check shows the result', async () => {
  watchId = await insertProductWatch(fixture.db, { title: 'Tide box', fields: { slug: 'tide' } });
  const page = await pages.get('/restock/tide', '');
  expect(page.text).toContain('Not checked yet. The result of the first check will appear here.');
  expect(page.text).toContain('No price yet at Tanglewood Cards Not checked yet');
  expect(page.html).toContain('Tide box: stock and price. Checked at Tanglewood Cards');
  expect(page.html).toContain('Tide box: Not checked yet, No price yet');
  const listed = await pages.get('/restock?q=tide', '');
  expect(listed.text).toContain('Not checked yet Tide box Tanglewood Cards No price yet');
  watchId = await insertProductWatch(fixture.db, { title: 'Moon box', fields: { slug: 'moon' } });
  await storeCheck(fixture.db, { now: () => Date.now() }, productCheck(watchId));
  const checked = await pages.get('/restock/moon', '');
  expect(checked.text).toContain('In stock at Tanglewood Cards.');
  expect(checked.text).not.toContain('Not checked yet');
});

test('a follower sees that the product is followed, and where to change or stop it', async () => {
  const token = await fixture.tokenOf('pro');
  const before = await pages.get('/restock/chest', token);
  expect(before.text).toContain('Follow this product');
  await callApi('PUT', '/api/products/chest/follow', { token, body: { wants: ['restock'] } });
  for (const [reader, follows] of [
    [token, true],
    [await fixture.tokenOf('beta'), false],
    ['', false],
  ] as const) {
    const { text, html } = await pages.get('/restock/chest', reader);
    expect(text.includes('You follow this product. Change your alerts, or stop following it')).toBe(follows);
    expect(text.includes('Follow this product')).toBe(!follows);
    expect(html).toContain('href="/restock/chest/follow"');
  }
});

test('a follower of a product that we no longer watch reads where to stop following it', async () => {
  const token = await fixture.tokenOf('pro');
  await callApi('PUT', '/api/products/chest/follow', { token, body: { wants: ['restock'] } });
  await fixture.db
    .updateTable('products')
    .set({ retired_at: toIso(now) })
    .execute();
  const { text } = await pages.get('/restock/chest', token);
  expect(text).toContain('We no longer watch this product.');
  expect(text).toContain('You follow this product. Stop following it');
});

test('the page of a product names the variant that a watch is about', async () => {
  const variants = (['red', 'blue'] as const).map((key) => ({
    key,
    name: `The ${key} one`,
    availability: key === 'red' ? ('out_of_stock' as const) : ('in_stock' as const),
    price: null,
  }));
  await check({ ...OUT, variants, watchedVariant: 'red' });
  const { text } = await pages.get('/restock/chest', '');
  expect(text).toContain('The red one');
  expect(text).not.toContain('The blue one');
});

test('a product whose state is unknown names no availability, and one without a record stays text', async () => {
  await fixture.db
    .updateTable('offer_runs')
    .set({ first_seen_at: toIso(now - DAY), last_seen_at: toIso(now - DAY) })
    .execute();
  const page = await pages.get('/restock/chest', '');
  expect(page.text).toContain('We cannot say right now');
  expect(page.html).not.toContain('schema.org/OutOfStock');
  const teaser = await pages.get('/restock/ps5?name=Elite+Box', '');
  expect(teaser.html).toContain('noindex');
  expect(teaser.text).toContain('Elite Box');
});

test('a follower sees the same as the product’s page: in stock, then unknown, and still its price', async () => {
  const token = await fixture.tokenOf('pro');
  await callApi('PUT', '/api/products/chest/follow', { token, body: { wants: ['restock'] } });
  await check({}, Date.now() - MINUTE - now);
  const state = async () => {
    const { body } = await callApi('GET', '/api/products/following', { token });
    return (body.follows as { product: { state: string | null } }[])[0]?.product.state;
  };
  expect((await pages.get('/account', token)).text).toContain('In stock, £49.99 at =Tanglewood');
  expect(await state()).toBe('in_stock');
  // No check could judge its page in the last half hour.
  await fixture.db
    .updateTable('offer_runs')
    .set({ last_seen_at: toIso(Date.now() - 31 * MINUTE) })
    .execute();
  const { text } = await pages.get('/account', token);
  expect(text).toContain('We cannot say right now whether it is in stock');
  expect(text).not.toContain('In stock, £49.99');
  expect(await state()).toBeNull();
});

test('a product that no retailer sells any more is called so by its page, the list, link previews and its followers', async () => {
  const token = await fixture.tokenOf('pro');
  await callApi('PUT', '/api/products/chest/follow', { token, body: { wants: ['restock'] } });
  const tide = await insertProductWatch(fixture.db, { title: 'Tide box', fields: { slug: 'tide' } });
  await insertProductWatch(fixture.db, { product: tide, retailer: 'Argos' });
  await fixture.db
    .updateTable('watches')
    .set({ discontinued_at: toIso(now) })
    .where('id', 'in', [watchId, tide])
    .execute();
  const { text, html } = await pages.get('/restock/chest', '');
  expect(text).toContain('No longer sold at =Tanglewood.');
  expect(text).toContain('No longer sold since');
  // Nor is it out of stock for now.
  expect(text.split('Price history')[0]).not.toContain('Out of stock');
  expect(html).toMatch(/property="og:image:alt" content="[^"]*: No longer sold, £49\.99"/);
  expect(html).toMatch(/name="description" content="[^"]*: no longer sold, £49\.99\. /);
  expect(html).toContain('"availability":"https://schema.org/Discontinued"');
  // Another retailer may still sell it.
  expect((await pages.get('/restock/tide', '')).text).not.toContain('No longer sold at');
  const list = (await pages.get('/restock', '')).text;
  expect(list).toMatch(/No longer sold Ember/);
  expect(list).not.toContain('No longer sold Tide box');
  expect((await pages.get('/account', token)).text).toContain('No longer sold');
});

test('the list is filtered, paged, and indexed without a filter only', async () => {
  for (let count = 0; count < 24; count += 1)
    await insertProductWatch(fixture.db, { title: `Tin ${count}`, retailer: 'Argos' });
  const all = await pages.get('/restock', '');
  expect(all.text).toContain('Page 1 of 2');
  expect(all.html).toContain('rel="next"');
  const filtered = await pages.get('/restock?q=&state=out_of_stock&retailer=&page=1', '');
  expect(filtered.html).toContain('noindex');
  expect(filtered.text).toContain('Ember');
  expect(filtered.text).not.toContain('Tin 1');
  expect((await pages.get('/restock?q=chest&page=7', '')).leadsTo).toBe('/restock?q=chest');
  expect((await pages.get('/restock?state=constructor&retailer=nobody', '')).text).toContain(
    'No products match this search.',
  );
});

test('feed, calendar, file and image say the same', async () => {
  const openedAt = await check();
  await check(OUT, 5 * MINUTE);
  await check(OUT);
  const atom = await (await ask(feed, '/restock/feed.xml')).text();
  expect(atom).toContain('is back in stock at =Tanglewood');
  expect(atom).toContain(`<published>${openedAt}</published>`);
  expect(atom).toContain('It was gone after 5 minutes.');

  const calendar = await (await ask(releases, '/restock/releases.ics')).text();
  const lines = calendar.split('\r\n');
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
  const unfolded = calendar.replaceAll('\r\n ', '').split('\r\n');
  expect(unfolded).toContain(
    `SUMMARY:${TITLE.replace(/[\\;,]/g, (character) => `\\${character}`)}: release day`,
  );
  expect(unfolded.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1);

  expect((await ask(csv, '/restock/chest/prices.csv')).status).toBe(302);
  expect(
    (await ask(csv, '/restock/chest/prices.csv', { token: await fixture.tokenOf('member') })).status,
  ).toBe(403);
  const token = await fixture.tokenOf('pro');
  const file = await (await ask(csv, '/restock/chest/prices.csv', { token })).text();
  expect(file.split('\r\n')[0]).toBe('from,to,retailer,variant,state,detail,price,currency');
  expect(file.split('\r\n')[2]).toMatch(new RegExp(`^${openedAt},.*,'=Tanglewood,,in_stock,,49.99,GBP$`));
  expect((await ask(csv, '/restock/none/prices.csv', { token, slug: 'none' })).status).toBe(404);

  const moved = await ask(shareImage, '/restock/chest/share/old.png');
  const path = moved.headers.get('Location') ?? '';
  expect(path).toMatch(/^\/restock\/chest\/share\/[\da-f]{16}\.png$/);
  const image = await ask(shareImage, path);
  expect(image.headers.get('Cache-Control')).toContain('immutable');
  const png = Buffer.from(await image.arrayBuffer());
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
});

test('the API lists and reads products, their prices and restocks; stock reaches Pro first', async () => {
  const openedAt = await check({}, Date.now() - now);
  const pro = await fixture.tokenOf('pro');
  const read = async (path: string, token: string | null = null) => {
    const { status, body } = await callApi('GET', `/api/products${path}`, { token });
    return { status, data: body.data as Record<string, unknown> };
  };
  const first = await read('/chest', pro);
  expect(first.data.product).toMatchObject({
    slug: 'chest',
    state: 'in_stock',
    since: openedAt,
    price: { amount: 49.99, currency: 'GBP' },
    offers: [{ retailer: '=Tanglewood', state: 'in_stock', variants: [] }],
    lastRestock: { openedAt, closedAt: null, lastedSeconds: null, headStartSeconds: null },
  });
  const public_ = await read('');
  expect(public_.data).toMatchObject({
    total: 1,
    totalPages: 1,
    products: [{ state: 'out_of_stock', lastRestock: null }],
  });
  expect((await read('?state=in_stock')).data.total).toBe(0);
  expect((await read('?state=in_stock', pro)).data.total).toBe(1);
  expect((await read('?state=gone')).status).toBe(400);
  expect((await read('?page=9')).data.products).toEqual([]);
  expect((await read('/chest/alerts')).data.alerts).toEqual([]);
  expect((await read('/chest/alerts', pro)).data.alerts).toMatchObject([
    { kind: 'restock', openedAt, retailer: '=Tanglewood', price: { amount: 49.99 } },
  ]);
  expect((await read('/chest/prices')).data).toMatchObject({ runs: [{ state: 'out_of_stock' }] });
  expect((await read('/chest/prices?days=31')).status).toBe(403);
  expect((await read('/chest/prices?days=31', pro)).data).toMatchObject({
    lowest: { amount: 49.99 },
    runs: [{ state: 'out_of_stock' }, { state: 'in_stock' }],
  });
  for (const path of ['/none', '/none/prices', '/none/alerts', '/constructor'])
    expect((await read(path)).status).toBe(404);
  // Half a minute later everybody knows.
  await fixture.db
    .updateTable('offer_runs')
    .set({ first_seen_at: toIso(now - 31 * SECOND) })
    .where('is_latest', '=', 1)
    .execute();
  await fixture.db
    .updateTable('alerts')
    .set({ opened_at: toIso(now - 31 * SECOND) })
    .execute();
  expect((await read('?state=in_stock')).data.total).toBe(1);
});
