import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../start-sandbox';
import type { ShopMode } from './shop-mode';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const visit = (path = '') => fetch(sandbox.shopUrl + path);

async function seen(mode: ShopMode) {
  sandbox.shop.show(mode, { delayMs: 0 });
  const response = await visit();
  return {
    status: response.status,
    url: response.url,
    headers: response.headers,
    body: await response.text(),
  };
}

test('the open shop has navigation, products and a basket, and news and texts that mention queues', async () => {
  const { status, body } = await seen('open');
  expect(status).toBe(200);
  expect(body).toContain('<nav aria-label="Main">');
  expect(body).toContain('Add to basket');
  expect(body).toContain('How our virtual queue works');
  expect(body.length).toBeGreaterThan(8_000);
  expect(body.length).toBeLessThan(25_000);
});

test('a large page has about 600 KB', async () => {
  sandbox.shop.show('open', { large: true });
  const { length } = await (await visit()).text();
  expect(length).toBeGreaterThan(590_000);
  expect(length).toBeLessThan(620_000);
});

test.each([
  '/category/posters',
  '/product/poster-the-waiting-room',
  '/news/how-our-virtual-queue-works',
  '/basket',
])('%s is an ordinary page of the shop', async (path) => {
  const response = await visit(path);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('<footer>');
});

test.each(['/product/nothing', '/category/nothing', '/news/nothing', '/elsewhere'])(
  '%s is a 404',
  async (path) => {
    expect((await visit(path)).status).toBe(404);
  },
);

test.each<[ShopMode, number, RegExp]>([
  ['slow', 200, /Add to basket/],
  ['imperva-room', 200, /_Incapsula_Resource\?CWUDNSAI=[^"]*&edet=47&wrid=\d+&wrcid=\d+/],
  ['imperva-page', 200, /_Incapsula_Resource\?SWWRGTS=\d+/],
  ['queueit-room', 200, /data-pageid="queue"/],
  ['cloudflare-room', 200, /waitingrooms-text/],
  ['cloudflare-json', 200, /"inWaitingRoom":true/],
  ['words-room', 200, /You’re in line/],
  ['bot-wall', 200, /_Incapsula_Resource\?SWUDNSAI=[^"]*&edet=12/],
  ['cloudflare-challenge', 403, /challenge-platform\/h\/g\/orchestrate/],
  ['akamai-denied', 403, /Reference&#32;&#35;/],
  ['error', 503, /Service Unavailable/],
  ['empty', 200, /^$/],
])('mode %s answers %i with its own markup', async (mode, status, markup) => {
  const answer = await seen(mode);
  expect(answer.status).toBe(status);
  expect(answer.body).toMatch(markup);
});

test('mode reset closes the connection', async () => {
  sandbox.shop.show('reset');
  await expect(visit()).rejects.toThrow();
  expect(sandbox.shop.requests()[0]).toMatchObject({ mode: 'reset', answeredAt: null });
});

test('the Imperva room and the Imperva block look the same', async () => {
  const text = (html: string) => html.replace(/<[^>]+>/g, '');
  const [room, wall] = [await seen('imperva-room'), await seen('bot-wall')];
  expect(text(room.body)).toBe(text(wall.body));
  expect(wall.body).not.toContain('wrid=');
});

test('the iframe of the room loads the room page, that of the block does not', async () => {
  const frame = async (mode: ShopMode) => {
    const source = /iframe id="main-iframe" src="([^"]+)"/.exec((await seen(mode)).body)?.[1] ?? '';
    return (await fetch(sandbox.origin + source)).text();
  };
  expect(await frame('imperva-room')).toContain('SWWRGTS=');
  expect(await frame('bot-wall')).not.toContain('SWWRGTS=');
});

test('the room page waits while the room is shown and reloads when it is over', async () => {
  const poll = async () => (await fetch(`${sandbox.origin}/_Incapsula_Resource?SWWRGTS=1`)).json();
  sandbox.shop.show('imperva-page');
  expect(await poll()).toMatchObject({ pending: 1, rld: 0 });
  sandbox.shop.show('open');
  expect(await poll()).toMatchObject({ pending: 0, rld: 1 });
});

test('Queue-it redirects to its own host path and lets visitors back in when it is over', async () => {
  sandbox.shop.show('queueit-room');
  const first = await fetch(sandbox.shopUrl, { redirect: 'manual' });
  expect(first.status).toBe(302);
  const queue = new URL(first.headers.get('location') ?? '', sandbox.origin);
  expect([queue.pathname, queue.searchParams.get('c'), queue.searchParams.get('e')]).toEqual([
    '/queue/',
    'tanglewood',
    'release-day',
  ]);
  sandbox.shop.show('open');
  const back = await fetch(queue);
  expect(back.url).toContain('queueittoken=');
  expect(await back.text()).toContain('Add to basket');
});

test('in a script the queue page belongs to the step that led to it', async () => {
  sandbox.shop.play(['queueit-room', 'open']);
  expect(await (await visit()).text()).toContain('data-pageid="queue"');
  expect(await (await visit()).text()).toContain('Add to basket');
});

test('a script is answered step by step and stays with its last', async () => {
  sandbox.shop.play(['imperva-room', { mode: 'error' }, 'open']);
  const statuses = [];
  for (let count = 0; count < 5; count += 1) statuses.push((await visit()).status);
  expect(statuses).toEqual([200, 503, 200, 200, 200]);
  expect(sandbox.shop.requests().map(({ mode }) => mode)).toEqual([
    'imperva-room',
    'error',
    'open',
    'open',
    'open',
  ]);
  expect(sandbox.shop.state()).toMatchObject({ lastShown: 'open', stepsLeft: 1, requestCount: 5 });
});

test('any mode can be delayed, and a disconnected client is not waited for', async () => {
  sandbox.shop.show('error', { delayMs: 60 });
  await visit();
  const [late] = sandbox.shop.requests();
  expect((late?.answeredAt ?? 0) - (late?.receivedAt ?? 0)).toBeGreaterThan(55);

  sandbox.shop.show('slow');
  const client = new AbortController();
  const left = expect(fetch(sandbox.shopUrl, { signal: client.signal })).rejects.toThrow();
  await expect.poll(() => sandbox.shop.requests()).toHaveLength(2);
  client.abort();
  await left;
  expect(sandbox.shop.requests()[1]).toMatchObject({ mode: 'slow', answeredAt: null });
});

test('requests are counted, and the last fifty are stored with their headers', async () => {
  for (let count = 0; count < 52; count += 1) {
    await (await fetch(sandbox.shopUrl, { headers: { 'user-agent': `watcher ${count}` } })).text();
  }
  const requests = sandbox.shop.requests();
  expect(sandbox.shop.state().requestCount).toBe(52);
  expect(requests).toHaveLength(50);
  expect(requests[0]?.userAgent).toBe('watcher 2');
  expect(requests[0]?.headers).toHaveProperty('accept');
});

test('pages are compressed for clients that accept it', async () => {
  expect((await visit()).headers.get('content-encoding')).toBe('gzip');
  const plain = await fetch(sandbox.shopUrl, { headers: { 'accept-encoding': 'identity' } });
  expect(plain.headers.get('content-encoding')).toBeNull();
});
