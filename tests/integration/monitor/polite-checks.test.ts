import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND, toIso } from '#shared/clock';
import { freeLeasesOf } from '#shared/monitor/checks/check-lease';
import { findHost, returnHostTurn, takeHostTurn, type HostAnswer } from '#shared/monitor/hosts/host-turns';
import { createHostVisits } from '#shared/monitor/hosts/host-visits';
import { visitNewPage } from '#shared/monitor/hosts/visit-new-page.server';
import { readRobots } from '#shared/monitor/hosts/read-robots.server';
import { FREE_PACE } from '#shared/monitor/product-timing';
import { readWatch } from '#shared/monitor/watches/watches';
import { createPublicWeb, type PublicWeb } from '#shared/network/public-web.server';
import type { CheckerContext } from '../../../daemon/checks/checker-context';
import { inlineJudge } from '../../../daemon/checks/judge';
import { createKnownPages } from '../../../daemon/checks/known-pages';
import { runCheck } from '../../../daemon/checks/run-check';
import { createPageFetcher, type PageFetcher } from '../../../daemon/waiting-room/fetch/fetch-page';
import { createTestDatabase, type TestDatabase } from '../database';
import { insertProductWatch } from './product-watch';

const START = Date.parse('2027-01-15T12:00:00.000Z');
const NAME = 'Ember Hollow chest';
const page = (button: string, price = '£49.99'): string =>
  `<!doctype html><title>${NAME}</title><main><h1>${NAME}</h1><p class="price">${price}</p>${button}</main>`;
const IN_STOCK = page('<p class="stock">In stock</p><button>Add to basket</button>');
const OUT = page('<p class="stock">Out of stock</p><button disabled>Sold out</button>');

let database: TestDatabase;
let server: Server;
let host: string;
let web: PublicWeb;
let fetcher: PageFetcher;
let now = START;
const clock = { now: () => now };
/** What the shop answers, and what it was asked. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const requests: IncomingMessage[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  web = createPublicWeb({ allowedPrivateHosts: ['127.0.0.1'] });
  fetcher = createPageFetcher(web);
});
afterAll(async () => {
  await fetcher.close();
  await web.close();
  server.close();
  await database.cleanup();
});
beforeEach(async () => {
  now = START;
  requests.length = 0;
  await database.db.deleteFrom('hosts').execute();
});

const show =
  (
    body: string,
    { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
  ) =>
  (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
  };

/** The robots.txt of the shop was read just now, and said this. */
async function knowRobots(rules: string | null = null, robots: 'rules' | 'none' | 'unreachable' = 'none') {
  await database.db
    .insertInto('hosts')
    .values({ host, robots, robots_rules: rules, robots_read_at: toIso(now) })
    .execute();
}

/** A daemon's checks of a new product watch, two minutes apart. */
async function checksOf(path = '/products/chest', changes: Partial<CheckerContext> = {}) {
  const watchId = await insertProductWatch(database.db, { url: `http://${host}${path}`, title: NAME });
  const logger = pino({ level: 'silent' });
  const context: CheckerContext = {
    db: database.db,
    clock,
    logger,
    monitor: { targetUrl: 'https://shop.example/', scrappey: null },
    fetcher,
    judge: inlineJudge.judge,
    knownPages: createKnownPages(clock),
    hostVisits: createHostVisits({
      db: database.db,
      clock,
      owner: 'one',
      readRobots: (pageUrl, stop) => readRobots(web, { pageUrl, stop }),
    }),
    paceOf: () => FREE_PACE,
    isDatabaseOut: () => false,
    owner: 'one',
    sender: null,
    adminContacts: { emails: [] },
    handleClockStep: () => Promise.resolve(),
    onStorageFault: () => undefined,
    onRecorded: () => undefined,
    ...changes,
  };
  return {
    watchId,
    async check() {
      now += 2 * MINUTE;
      const { signal } = new AbortController();
      const requestedAt = Number.MAX_SAFE_INTEGER;
      const result = await runCheck(context, { watchId, trigger: 'manual', requestedAt, signal });
      if (!('checkId' in result)) throw new Error(result.skipped);
      const row = await database.db
        .selectFrom('monitor_checks')
        .selectAll()
        .where('id', '=', result.checkId)
        .executeTakeFirstOrThrow();
      const { product } = JSON.parse(row.content_analysis) as { product?: { unknownReason: string | null } };
      return { ...row, unknownReason: product?.unknownReason ?? null };
    },
  };
}

describe('the turn of a host', () => {
  const take = (owner: string, ignoresPause = false) =>
    takeHostTurn(database.db, { host, owner, clock, ignoresPause });
  const taken = async (owner: string) => {
    const turn = await take(owner);
    if ('waitMs' in turn) throw new Error(`wait ${turn.waitMs} ms`);
    return turn;
  };
  const give = (turn: Awaited<ReturnType<typeof taken>>, answer: HostAnswer, count = 1) =>
    returnHostTurn(database.db, turn, { answer, sent: { lastAt: now, count }, now });
  const PAGE: HostAnswer = { kind: 'page', askedPauseMs: 0 };
  const REFUSAL: HostAnswer = { kind: 'refusal', askedPauseMs: 0 };

  it('is taken by one of many, and by the next two seconds after the request, or later after a redirect', async () => {
    for (const requests of [1, 3]) {
      const turns = await Promise.all(Array.from({ length: 8 }, (_unused, index) => take(`daemon-${index}`)));
      const [turn, ...more] = turns.flatMap((one) => ('waitMs' in one ? [] : [one]));
      expect(more).toEqual([]);
      if (turn === undefined) throw new Error('no daemon has the turn');
      // The turn was taken a second before its request was sent.
      now += SECOND;
      await give(turn, PAGE, requests);
      const waits = (await take('late')) as { waitMs: number };
      expect(waits.waitMs).toBeGreaterThanOrEqual(requests * 2 * SECOND);
      expect(waits.waitMs).toBeLessThanOrEqual(requests * 2.2 * SECOND);
      now += waits.waitMs;
    }
  });

  it('of a daemon that was killed comes free when another starts, or after a minute', async () => {
    await taken('killed');
    now += 59 * SECOND;
    expect(await take('other')).toHaveProperty('waitMs');
    now += 2 * SECOND;
    await taken('other');
    now += 3 * SECOND;
    await freeLeasesOf(database.db, ['other']);
    const late = await taken('third');
    // A turn that was lost returns nothing.
    await give({ ...late, lease_token: late.lease_token - 1 }, REFUSAL);
    expect(await findHost(database.db, host)).toMatchObject({ lease_owner: 'third', refusals: 0 });
  });

  it('is not lost when the clock is set back', async () => {
    await give(await taken('one'), { kind: 'refusal', askedPauseMs: 2 * HOUR });
    now -= 30 * 24 * HOUR;
    await taken('two');
  });

  it('comes later as Crawl-delay says, within reason', async () => {
    await knowRobots(null);
    const setDelay = (robots_delay_ms: number) =>
      database.db.updateTable('hosts').set({ robots_delay_ms }).execute();
    await setDelay(10 * SECOND);
    await give(await taken('one'), PAGE);
    expect((await take('one')) as { waitMs: number }).toSatisfy(
      ({ waitMs }) => waitMs >= 10 * SECOND && waitMs <= 11 * SECOND,
    );
    now += 11 * SECOND;
    await setDelay(24 * HOUR);
    await give(await taken('one'), PAGE);
    now += 6 * MINUTE;
    await taken('one');
  });

  it('waits twice as long after each refusal, up to 15 minutes, and half as long after a page', async () => {
    const pauses: number[] = [];
    const after = async (answer: HostAnswer) => {
      now += HOUR;
      await give(await taken('one'), answer);
      const { paused_until } = (await findHost(database.db, host)) ?? { paused_until: null };
      pauses.push(paused_until === null ? 0 : (Date.parse(paused_until) - now) / MINUTE);
    };
    for (let refusals = 0; refusals < 6; refusals += 1) await after(REFUSAL);
    await after(PAGE);
    await after(REFUSAL);
    await after(PAGE);
    await after(PAGE);
    await after(REFUSAL);
    expect(pauses).toEqual([1, 2, 4, 8, 15, 15, 0, 15, 0, 0, 8]);
    expect(await take('one')).toHaveProperty('waitMs');
    now += 3 * SECOND;
    expect(await take('one', true)).not.toHaveProperty('waitMs');
  });
});

describe('robots.txt', () => {
  const read = async (handler: typeof answer) => {
    answer = handler;
    return readRobots(web, { pageUrl: `http://${host}/products/x?y`, stop: new AbortController().signal });
  };
  const redirect = (times: number) => (request: IncomingMessage, response: ServerResponse) => {
    const count = Number(URL.parse(request.url ?? '', 'http://x')?.searchParams.get('n') ?? 0);
    if (count === times) return show('User-agent: *\nDisallow: /')(request, response);
    response.writeHead(301, { location: `/robots.txt?n=${count + 1}` }).end();
  };

  it.each([
    ['rules', show('User-agent: *\nDisallow: /x'), 'rules'],
    ['a page that is missing', show('', { status: 404 }), 'none'],
    ['a refusal', show('', { status: 403 }), 'none'],
    ['a fault', show('', { status: 503 }), 'unreachable'],
    ['five redirects', redirect(5), 'rules'],
    ['six redirects', redirect(6), 'none'],
    [
      'a redirect to our own network',
      show('', { status: 302, headers: { location: 'http://10.0.0.1/' } }),
      'unreachable',
    ],
    [
      'a connection that ends',
      (_request: IncomingMessage, response: ServerResponse) => void response.destroy(),
      'unreachable',
    ],
  ])('of %s', async (_name, handler, kind) => {
    expect((await read(handler)).kind).toBe(kind);
  });

  it('keeps a forbidden page from being added, unless an admin states a permission; both are asked in turns of the host', async () => {
    let robots = show('User-agent: *\nDisallow: /products');
    answer = (request, response) =>
      (request.url === '/robots.txt' ? robots : show(IN_STOCK))(request, response);
    const at: number[] = [];
    const look = (onRequest: () => void) => {
      onRequest();
      at.push(now);
      return Promise.resolve('seen');
    };
    const add = (path: string, permission = '') =>
      visitNewPage({ db: database.db, web, clock }, { url: `http://${host}${path}`, permission }, look);
    // The clock stands still for the pauses between requests.
    const step = setInterval(() => (now += SECOND), 50);
    try {
      await expect(add('/products/x')).rejects.toMatchObject({
        code: 'robots_disallowed',
        fieldErrors: { robotsPermission: [expect.stringContaining('does not allow this page')] },
      });
      expect(at).toEqual([]);
      expect(await add('/shop/x')).toBe('seen');
      expect(await add('/products/x', 'By mail of 3 January, Ms Ash.')).toBe('seen');
      expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(2 * SECOND);
      expect(requests).toHaveLength(1);
      now += 25 * HOUR;
      robots = show('', { status: 500 });
      await database.db.updateTable('hosts').set({ robots_rules: null }).execute();
      expect(await add('/products/x')).toBeNull();
      expect(at).toHaveLength(2);
    } finally {
      clearInterval(step);
    }
    // The host has no turn in time.
    await database.db
      .updateTable('hosts')
      .set({ next_request_at: toIso(now + MINUTE) })
      .execute();
    expect(await add('/products/x')).toBeNull();
  });

  it('is read to 500 KB of an endless one', async () => {
    const endless = (_request: IncomingMessage, response: ServerResponse): void => {
      response.write('User-agent: *\nDisallow: /x\n');
      const more = () => {
        while (!response.destroyed && response.write('#'.repeat(64 * 1024)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    expect(await read(endless)).toMatchObject({ kind: 'rules', rules: { rules: [{ pattern: '/x' }] } });
  });

  it('that forbids a page, or that cannot be read, keeps the page from being requested', async () => {
    answer = show(IN_STOCK);
    const { check, watchId } = await checksOf();
    await knowRobots('User-agent: *\nDisallow: /products', 'rules');
    expect(await check()).toMatchObject({ availability: 'unknown', unknownReason: 'robots' });
    await database.db.updateTable('hosts').set({ robots: 'unreachable', robots_rules: null }).execute();
    expect(await check()).toMatchObject({ availability: 'unknown', unknownReason: 'robots' });
    expect(requests).toEqual([]);
    const { next_check_at } = await readWatch(database.db, watchId);
    expect(Date.parse(next_check_at ?? '')).toBeGreaterThan(now + 9 * MINUTE);
    const states = { robots_permission: 'By mail of 3 January, Ms Ash.' };
    await database.db.updateTable('watches').set(states).where('id', '=', watchId).execute();
    expect(await check()).toMatchObject({ availability: 'in_stock' });
    expect(requests.map(({ url }) => url)).toEqual(['/products/chest']);
  });

  it('is read before the first page and once a day, in separate turns', async () => {
    answer = (request, response) =>
      show(request.url === '/robots.txt' ? 'User-agent: *\nDisallow: /cart' : IN_STOCK)(request, response);
    const { check } = await checksOf();
    // The clock stands still for the pause between the two requests.
    const step = setInterval(() => (now += SECOND), 50);
    try {
      await check();
      await check();
      now += 25 * HOUR;
      await check();
    } finally {
      clearInterval(step);
    }
    expect(requests.map(({ url }) => url)).toEqual([
      '/robots.txt',
      '/products/chest',
      '/products/chest',
      '/robots.txt',
      '/products/chest',
    ]);
    expect(await findHost(database.db, host)).toMatchObject({ robots: 'rules', lease_owner: null });
  });
});

describe('a page that has not changed', () => {
  const conditions = () => {
    const headers = requests.at(-1)?.headers;
    return [headers?.['if-none-match'], headers?.['if-modified-since']];
  };

  it('is asked for with its names, and its verdict holds after 304 and after an equal page', async () => {
    await knowRobots();
    const { check, watchId } = await checksOf();
    const named = { etag: 'W/"a-1"', 'last-modified': 'Fri, 15 Jan 2027 11:00:00 GMT' };
    answer = show(OUT, { headers: named });
    await check();
    expect(conditions()).toEqual([undefined, undefined]);
    answer = show('', { status: 304 });
    expect(await check()).toMatchObject({
      availability: 'out_of_stock',
      http_status_code: 304,
      price_amount: 4_999,
      // An unchanged page is not a short one.
      content_analysis: expect.stringContaining('"short":false') as string,
    });
    expect(conditions()).toEqual(Object.values(named));
    expect(await check()).toMatchObject({ availability: 'out_of_stock', http_status_code: 304 });
    answer = show(OUT);
    expect(await check()).toMatchObject({ availability: 'out_of_stock', http_status_code: 200 });
    // The shop no longer names it.
    await check();
    expect(conditions()).toEqual([undefined, undefined]);
    answer = show(IN_STOCK, { headers: named });
    expect(await check()).toMatchObject({ availability: 'in_stock' });
    expect(await readWatch(database.db, watchId)).toMatchObject({ etag: named.etag });
    const alerts = database.db.selectFrom('alerts').select('kind').where('watch_id', '=', watchId);
    expect(await alerts.execute()).toEqual([{ kind: 'restock' }]);
  });

  it('is not believed of a shop that was not asked: the next check reads the page', async () => {
    await knowRobots();
    const { check, watchId } = await checksOf();
    answer = show('', { status: 304, headers: { etag: '"x"' } });
    expect(await check()).toMatchObject({ availability: 'unknown' });
    expect(await check()).toMatchObject({ availability: 'unknown' });
    expect(conditions()).toEqual([undefined, undefined]);
    answer = show(OUT, { headers: { etag: '"x"' } });
    await check();
    // The verdict is gone: another daemon has made the last check, or retention has deleted it.
    const { last_check_id } = await readWatch(database.db, watchId);
    await database.db.deleteFrom('check_bodies').where('check_id', '=', last_check_id).execute();
    await database.db.deleteFrom('monitor_checks').where('id', '=', last_check_id).execute();
    answer = show('', { status: 304 });
    expect(await check()).toMatchObject({ availability: 'unknown' });
    answer = show(OUT);
    expect(await check()).toMatchObject({ availability: 'out_of_stock' });
    expect(conditions()).toEqual([undefined, undefined]);
  });

  it('is read every half hour, although its shop says that it has not changed', async () => {
    await knowRobots();
    const { check } = await checksOf();
    const named = { etag: '"always the same"' };
    answer = show(OUT, { headers: named });
    await check();
    answer = (request, response) =>
      request.headers['if-none-match'] === undefined
        ? show(IN_STOCK, { headers: named })(request, response)
        : show('', { status: 304, headers: named })(request, response);
    expect(await check()).toMatchObject({ availability: 'out_of_stock', http_status_code: 304 });
    now += 30 * MINUTE;
    expect(await check()).toMatchObject({ availability: 'in_stock', http_status_code: 200 });
  });

  it('is not asked for with a name that no server would take', async () => {
    await knowRobots();
    const { check } = await checksOf();
    answer = show(OUT, { headers: { etag: `"${'x'.repeat(12_000)}"`, 'last-modified': 'x'.repeat(2_000) } });
    await check();
    await check();
    expect(conditions()).toEqual([undefined, undefined]);
  });

  it('is stored once a day, and again when it says something else', async () => {
    await knowRobots();
    const { check, watchId } = await checksOf();
    answer = show(OUT);
    for (let count = 0; count < 3; count += 1) await check();
    answer = show(IN_STOCK);
    await check();
    now += 12 * HOUR;
    await check();
    const stored = await database.db
      .selectFrom('check_bodies')
      .innerJoin('monitor_checks', 'monitor_checks.id', 'check_bodies.check_id')
      .select('availability')
      .where('watch_id', '=', watchId)
      .orderBy('monitor_checks.check_timestamp')
      .execute();
    expect(stored.map(({ availability }) => availability)).toEqual(['out_of_stock', 'in_stock', 'in_stock']);
  });
});

describe('a host', () => {
  it.each([
    ['403', show('Forbidden', { status: 403 }), MINUTE],
    ['429 with a time', show('', { status: 429, headers: { 'retry-after': '1800' } }), 30 * MINUTE],
    ['503 with a time', show('', { status: 503, headers: { 'retry-after': '300' } }), 5 * MINUTE],
    ['503', show('', { status: 503 }), 0],
    ['a page with a time', show(OUT, { headers: { 'retry-after': '300' } }), 0],
  ])('that answers %s is paused as a whole', async (_name, handler, pauseMs) => {
    await knowRobots();
    const { check, watchId } = await checksOf();
    answer = handler;
    await check();
    const { paused_until } = (await findHost(database.db, host)) ?? { paused_until: null };
    expect(paused_until === null ? 0 : Date.parse(paused_until) - now).toBe(pauseMs);
    expect((await readWatch(database.db, watchId)).not_before).toBeNull();
  });
});

it('a product is fetched through the paid service only when its watch says so', async () => {
  await knowRobots();
  answer = show(IN_STOCK);
  const scrappey = { apiKey: 'key', apiUrl: 'https://scrappey.example/' };
  const used: boolean[] = [];
  const { check, watchId } = await checksOf('/products/chest', {
    monitor: { targetUrl: 'https://shop.example/', scrappey },
    fetcher: {
      ...fetcher,
      fetch(request) {
        used.push(request.scrappey !== null);
        return fetcher.fetch({ ...request, scrappey: null });
      },
    },
  });
  const set = (values: object) =>
    database.db.updateTable('watches').set(values).where('id', '=', watchId).execute();
  await check();
  await set({ paid_fetch: 1 });
  await check();
  // Scrappey is a browser, which JSON does not need.
  await set({ fetch_as: 'shopify_json' });
  await check();
  expect(used).toEqual([false, true, false]);
});

describe("a platform's JSON", () => {
  const json = (available: boolean) =>
    JSON.stringify({
      id: 1,
      title: NAME,
      handle: 'chest',
      available,
      price: 4_999,
      price_min: 4_999,
      variants: [{ id: 7, title: 'Default Title', option1: 'Default Title', available, price: 4_999 }],
    });
  const shop = (inJson: boolean, inPage: boolean) => (request: IncomingMessage, response: ServerResponse) =>
    request.url?.includes('.js')
      ? show(json(inJson), { headers: { 'content-type': 'text/javascript; charset=utf-8' } })(
          request,
          response,
        )
      : show(inPage ? IN_STOCK : OUT)(request, response);

  it('is read instead of the page, which is read every half hour and opens no alert alone', async () => {
    await knowRobots();
    const { check, watchId } = await checksOf('/collections/all/products/chest?variant=7');
    await database.db
      .updateTable('watches')
      .set({ fetch_as: 'shopify_json' })
      .where('id', '=', watchId)
      .execute();
    answer = shop(false, false);
    await check();
    expect(await check()).toMatchObject({
      availability: 'out_of_stock',
      strength: 'strong',
      price_amount: 4_999,
    });
    answer = shop(false, true);
    await check();
    expect(requests.map(({ url }) => url)).toEqual([
      '/collections/all/products/chest?variant=7',
      '/products/chest.js',
      '/products/chest.js',
    ]);
    now += 30 * MINUTE;
    const page = await check();
    expect(page).toMatchObject({ availability: 'in_stock', strength: 'weak' });
    expect(page.reason).toContain('contradicts the JSON of its platform');
    expect(await check()).toMatchObject({ availability: 'out_of_stock' });
    answer = shop(true, true);
    expect(await check()).toMatchObject({ availability: 'in_stock', strength: 'strong' });
    const alerts = database.db.selectFrom('alerts').select('kind').where('watch_id', '=', watchId);
    expect(await alerts.execute()).toEqual([{ kind: 'restock' }]);
  });
});

describe('an odd answer', () => {
  const alertsOf = (watchId: string) =>
    database.db
      .selectFrom('alerts')
      .select(['status', 'price_amount', 'price_currency'])
      .where('watch_id', '=', watchId)
      .execute();
  const inLatin =
    (body: string, contentType: string) => (_request: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(200, { 'content-type': contentType }).end(Buffer.from(body, 'latin1'));
  const noise = Array.from({ length: 4_000 }, (_, index) => (index * 7_919).toString(36)).join(' ');

  it.each([
    [
      'the page of another product',
      show(page('<button>Add to basket</button>', '£7.50').replaceAll(NAME, 'Galaxy lunch box')),
    ],
    [
      'a redirect to the front page, which sells others',
      (request: IncomingMessage, response: ServerResponse) =>
        request.url === '/'
          ? show('<h1>Our shop</h1><ul><li>Box £9.00 <button>Add to basket</button></ul>')(request, response)
          : void response.writeHead(302, { location: '/' }).end(),
    ],
    ['404', show('<h1>Page not found</h1>', { status: 404 })],
    ['503 with a time', show('<h1>Busy</h1>', { status: 503, headers: { 'retry-after': '60' } })],
    ['304 that names an unknown version', show('', { status: 304, headers: { etag: '"other"' } })],
    [
      'a compressed page that ends before its button',
      (_request: IncomingMessage, response: ServerResponse) => {
        const packed = gzipSync(`<!doctype html><title>${NAME}</title><p>${noise}${IN_STOCK}`);
        response
          .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
          .end(packed.subarray(0, packed.length / 2));
      },
    ],
  ])('(%s) neither opens nor ends an alert, and changes no price', async (_name, odd) => {
    await knowRobots();
    const { check, watchId } = await checksOf();
    answer = show(OUT);
    await check();
    answer = odd;
    for (let count = 0; count < 2; count += 1)
      expect(await check()).toMatchObject({ availability: 'unknown' });
    expect(await alertsOf(watchId)).toEqual([]);
    answer = show(IN_STOCK);
    await check();
    answer = odd;
    for (let count = 0; count < 2; count += 1) await check();
    expect(await alertsOf(watchId)).toEqual([{ status: 'open', price_amount: 4_999, price_currency: 'GBP' }]);
  });

  it('410 ends an alert when it comes twice, and a page after it sells the product again', async () => {
    await knowRobots();
    const { check, watchId } = await checksOf();
    answer = show(OUT);
    await check();
    answer = show(IN_STOCK);
    await check();
    answer = show('<h1>Gone</h1>', { status: 410 });
    await check();
    expect(await alertsOf(watchId)).toMatchObject([{ status: 'open' }]);
    await check();
    expect(await alertsOf(watchId)).toMatchObject([{ status: 'closed' }]);
    answer = show(IN_STOCK);
    now += HOUR;
    await check();
    expect(await alertsOf(watchId)).toMatchObject([{ status: 'closed' }, { status: 'open' }]);
  });

  it('in an old character set, or of 20 MB, is read', async () => {
    await knowRobots();
    const { check } = await checksOf();
    const price = { availability: 'in_stock', price_amount: 4_999, price_currency: 'GBP' };
    answer = inLatin(IN_STOCK, 'text/html; charset=windows-1252');
    expect(await check()).toMatchObject(price);
    answer = inLatin(`<meta charset="windows-1252">${IN_STOCK}`, 'text/html');
    expect(await check()).toMatchObject(price);
    answer = show(IN_STOCK + '<p>and so on</p>'.repeat(1_250_000));
    expect(await check()).toMatchObject(price);
  });

  it('that changes the currency is believed when it comes twice', async () => {
    await knowRobots();
    const { check, watchId } = await checksOf();
    answer = show(OUT);
    await check();
    answer = show(IN_STOCK);
    await check();
    answer = show(IN_STOCK.replace('£', '€'));
    await check();
    expect(await alertsOf(watchId)).toMatchObject([{ price_currency: 'GBP' }]);
    await check();
    expect(await alertsOf(watchId)).toEqual([{ status: 'open', price_amount: 4_999, price_currency: 'EUR' }]);
  });
});
