import { redirect, type ServerBuild } from '@remix-run/node';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FREE_DELAY_MS } from '#shared/alerts/alert-timing';
import { systemClock, toIso } from '#shared/clock';
import type { Config } from '#shared/config.server';
import { SETTING_KEY } from '#shared/settings/read-settings';
import { writeSetting } from '#shared/settings/write-settings';
import { createPageCache } from '~/http/page-cache/page-cache.server';
import { PUBLIC_PAGES } from '~/routes/public-pages.server';
import { createPageVersions } from '~/http/server/page-versions.server';
import { addAlert } from '../monitor/status-data';
import { openDatabase } from '#shared/database/connection.server';
import { createTestDatabase, type TestDatabase } from '../database';
import { usesPostgres } from '../database-faults';

/** The loader of the page. */
const load = vi.fn<() => Promise<unknown>>();

/** A build with the public pages, each of which contains the result of `load`. */
function buildOf(version: string): ServerBuild {
  const paths = {
    'routes/site/landing': '/',
    'routes/site/status': 'status',
    'routes/site/status-json': 'status.json',
    'routes/site/live/status-page': 'live/status.json',
    'routes/site/live/restock-page': 'live/restock.json',
    'routes/site/restock': 'restock/:productId',
    'routes/site/products/products': 'restock',
    'routes/site/developers': 'developers',
    'routes/site/news/news': 'news',
    'routes/site/news/article': 'news/:articleId',
  };
  const routes = Object.fromEntries(
    Object.entries(paths).map(([id, path]) => [
      id,
      // A route without a component answers with what its loader returns.
      {
        id,
        path,
        module: id.endsWith('-json') ? { loader: load } : { default: () => null, loader: load },
      },
    ]),
  );
  return {
    entry: {
      module: {
        default: (_request: Request, status: number, headers: Headers, { staticHandlerContext }: never) => {
          const { loaderData } = staticHandlerContext as { loaderData: unknown };
          headers.set('Content-Security-Policy', "script-src 'nonce-abc'");
          return new Response(`${version} ${JSON.stringify(loaderData)}`, { status, headers });
        },
      },
    },
    routes,
    assets: { entry: { imports: [], module: '' }, routes, url: '', version },
    publicPath: '/',
    assetsBuildDirectory: '',
    future: { v3_singleFetch: true },
    isSpaMode: false,
  } as unknown as ServerBuild;
}

let database: TestDatabase;
let build: ServerBuild;
let server: Server;
let origin: string;
let now: number;
const renderedByRemix = vi.fn();
const loadBuild = vi.fn(() => Promise.resolve(build));

/** The clock by which cached pages age stands still: some stay fresh for a second, which a busy machine exceeds. */
let stoppedClock: { mockRestore(): void };

beforeEach(async () => {
  stoppedClock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  load.mockReset().mockResolvedValue({ news: [] });
  renderedByRemix.mockReset();
  loadBuild.mockClear();
  build = buildOf('one');
  now = Date.now();
  database = await createTestDatabase();
  const servePublicPage = createPageCache(
    {
      pageVersions: createPageVersions(database.db, { now: () => now }),
      log: pino({ level: 'silent' }),
      config: { appUrl: 'https://packwatch.example' } as Config,
    },
    { publicPages: PUBLIC_PAGES, loadBuild },
  );
  server = createServer((request, response) => {
    void servePublicPage(request, response).then((served) => {
      if (served) return;
      renderedByRemix(request.url);
      response.end('by Remix');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  stoppedClock.mockRestore();
  server.close();
  await database.cleanup();
});

const save = (db = database.db) =>
  writeSetting(db, {
    key: SETTING_KEY.newsEnabled,
    value: 'true',
    actor: { userId: null },
    clock: systemClock,
  });

const get = (path: string) => fetch(origin + path, { redirect: 'manual' });

test('a page is rendered once until the content changes, also for concurrent requests', async () => {
  const first = await Promise.all(Array.from({ length: 20 }, () => get('/news')));
  expect(new Set(first.map(({ headers }) => headers.get('ETag'))).size).toBe(1);
  expect(load).toHaveBeenCalledOnce();
  await get('/news');
  expect(load).toHaveBeenCalledOnce();

  await save();
  await get('/news');
  expect(load).toHaveBeenCalledTimes(2);
});

/** Holds back the result of each query until the test ends it. Returns the queries. */
function slowDatabase(): { end: () => void }[] {
  const queries: { end: () => void }[] = [];
  const executor = database.db.getExecutor();
  const onConnection = executor.provideConnection.bind(executor);
  vi.spyOn(executor, 'provideConnection').mockImplementation(async (work) => {
    const result = await onConnection(work);
    await new Promise<void>((end) => queries.push({ end }));
    return result;
  });
  return queries;
}

test('a request that arrives while a version is being read waits for the next read, which all of them share', async () => {
  load.mockImplementation(() => Promise.resolve({ read: load.mock.calls.length }));
  await get('/news');
  const queries = slowDatabase();
  const early = get('/news');
  await expect.poll(() => queries).toHaveLength(1);
  // The first read has seen the version before this change, which another process makes.
  const other = openDatabase(database.config);
  await save(other);
  await other.destroy();
  const late = Array.from({ length: 30 }, () => get('/news'));
  await expect.poll(() => loadBuild.mock.calls).toHaveLength(32);
  queries[0]?.end();
  await expect.poll(() => queries).toHaveLength(2);
  queries[1]?.end();
  expect(await (await early).text()).toContain('{"read":1}');
  for (const answer of await Promise.all(late)) expect(await answer.text()).toContain('{"read":2}');
  expect(queries).toHaveLength(2);
});

test.each(['/', '/status', '/status.json', '/restock', '/restock/pokemon-center-uk', '/news'])(
  'the version of %s is one statement',
  async (path) => {
    await get(path);
    const statements = vi.spyOn(database.db.getExecutor(), 'provideConnection');
    await get(path);
    expect(statements).toHaveBeenCalledOnce();
    expect(load).toHaveBeenCalledOnce();
  },
);

test('a cached page changes when the head start of a new waiting room is over, and not when it opens', async () => {
  const paths = ['/', '/status', '/status.json', '/live/status.json?watch=a', '/restock/pokemon-center-uk'];
  load.mockImplementation(() => Promise.resolve({ read: load.mock.calls.length }));
  const read = async () => {
    load.mockClear();
    for (const path of paths) await get(path);
    return load.mock.calls.length;
  };
  await read();
  await addAlert(database.db, { openedAt: now, lastedMs: null, freeMs: null });
  expect(await read()).toBe(0);
  await database.db
    .updateTable('alerts')
    .set({ status: 'closed', closed_at: toIso(now), revision: 2 })
    .execute();
  expect(await read()).toBe(0);
  now += FREE_DELAY_MS - 1;
  expect(await read()).toBe(0);
  now += 1;
  expect(await read()).toBe(paths.length);
});

// Every client of the status sends back its ETag: a 304 of the loader would never fill the cache.
test('data for programs are cached as JSON, also when the first client has them already', async () => {
  load.mockImplementation(() =>
    Promise.resolve(new Response('{}', { headers: { 'Content-Type': 'application/json' } })),
  );
  const headers = { 'If-None-Match': '"x"' };
  const first = await fetch(`${origin}/status.json`, { headers });
  expect([first.status, first.headers.get('Content-Type'), await first.text()]).toEqual([
    200,
    'application/json',
    '{}',
  ]);
  const [[{ request }]] = load.mock.calls as unknown as [[{ request: Request }]];
  expect(request.headers.has('If-None-Match')).toBe(false);
  const again = await fetch(`${origin}/status.json`, {
    headers: { 'If-None-Match': first.headers.get('ETag') ?? '' },
  });
  expect(again.status).toBe(304);
  expect(load).toHaveBeenCalledOnce();
});

// PostgreSQL answers the second request's read at a time that a test cannot know.
test.skipIf(usesPostgres())(
  'a redirect is not shared with a concurrent request, which goes to Remix',
  async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    load.mockImplementation(() => released.then(() => redirect('/')));
    const both = [get('/news'), get('/news')];
    await expect.poll(() => loadBuild.mock.calls).toHaveLength(2);
    // Only microtasks remain until the second request waits: reads of SQLite are synchronous.
    await new Promise((resolve) => setImmediate(resolve));
    release();
    const answers = await Promise.all(both);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 302]);
    expect(answers.find(({ status }) => status === 302)?.headers.get('Location')).toBe('/');
    expect(renderedByRemix).toHaveBeenCalledOnce();
  },
);

test('a response that sets a cookie is not kept', async () => {
  load.mockImplementation(() =>
    Promise.resolve(new Response('{}', { headers: { 'Set-Cookie': 'a=b', 'Content-Type': 'text/html' } })),
  );
  for (let visit = 0; visit < 2; visit += 1) await get('/news');
  expect(load).toHaveBeenCalledTimes(2);
});

test('a public page that is not for every visitor is rendered for each request', async () => {
  for (let visit = 0; visit < 2; visit += 1) {
    const answer = await get('/news?utm_source=discord');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('ETag')).toBeNull();
  }
  expect(load).toHaveBeenCalledTimes(2);
  expect(renderedByRemix).not.toHaveBeenCalled();
});

test('other pages go to Remix', async () => {
  await get('/login');
  expect(renderedByRemix.mock.calls).toEqual([['/login']]);
});

test('while the database is unavailable Remix renders the page', async () => {
  await database.db.schema.dropTable('content_state').execute();
  expect(await (await get('/news')).text()).toBe('by Remix');
});

// In development every change creates a new build.
test('each build has its own pages', async () => {
  expect(await (await get('/news')).text()).toContain('one ');
  build = buildOf('two');
  expect(await (await get('/news')).text()).toContain('two ');
});
