import type { RouteConfigEntry } from '@remix-run/route-config';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import siteRoutes from '~/routes';
import { PLAIN_SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { freePort } from '../../free-port';
import { createApiFixture, declaredCalls, type ApiFixture } from '../api/api-fixture';
import { startSite, type RunningSite } from '../running-site';

/** Held at the same time: three to each of ten paths. */
const CONNECTIONS = 3;
const PATHS_AT_ONCE = 10;
/** Sent of each body, whose end never comes. */
const SENT = Buffer.alloc(2 * 1024 * 1024, 'a');
/** Thirty connections cost some 3 MB; a path that keeps what it gets has 6 MB more. */
const MOST_KEPT_BYTES = 6 * 1024 * 1024;
/** An admin's article, percent-encoded, may have more than what is sent. */
const LARGER_FORMS = ['/dashboard/articles/new', '/dashboard/articles/:id', '/dashboard/articles/preview'];
/** What may stay when all connections are closed. Each that left its 64 KB behind would make it some 20 MB. */
const MOST_LEFT_BYTES = 4 * 1024 * 1024;

/** The paths of a route and of the routes below it, with their files. */
function pagesOf(routes: readonly RouteConfigEntry[], parent = ''): { path: string; file: string }[] {
  return routes.flatMap(({ path, file, children = [] }) => {
    const full = path === undefined ? parent : `${parent}/${path}`;
    return [{ path: full === '' ? '/' : full, file }, ...pagesOf(children, full)];
  });
}

const fill = (path: string): string => path.replaceAll(/:\w+|\{\w+\}|\*/g, 'x');

let fixture: ApiFixture;
let site: RunningSite;
let origin: string;
let token: string;
/** The pages that take a body. */
let pages: string[];

beforeAll(async () => {
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  fixture = await createApiFixture({ APP_URL: origin });
  token = await fixture.tokenOf('admin');
  const modules = await Promise.all(
    pagesOf(siteRoutes).map(async ({ path, file }) => {
      const module = (await import(/* @vite-ignore */ `../../../app/${file}`)) as object;
      return [path, module] as const;
    }),
  );
  const taking = modules.filter(
    ([path, module]) => !path.startsWith('/api/') && !LARGER_FORMS.includes(path) && 'action' in module,
  );
  pages = taking.map(([path]) => path);
  site = await startSite(Object.fromEntries(taking));
});
afterAll(async () => {
  await site.close();
  await fixture.cleanup();
});

/** Sends the beginning of a body. Resolves when the server has read it, has answered, or has closed the connection. */
function sendHalf(method: string, path: string): Promise<Socket> {
  return new Promise((resolve) => {
    const { hostname, port, host } = new URL(origin);
    const socket = connect(Number(port), hostname);
    for (const event of ['error', 'close', 'data']) socket.once(event, () => resolve(socket));
    const type = path.startsWith('/api/') ? 'application/json' : 'application/x-www-form-urlencoded';
    const head = [
      `${method} ${path} HTTP/1.1`,
      `Host: ${host}`,
      `Origin: ${origin}`,
      `Cookie: ${PLAIN_SESSION_COOKIE}=${token}`,
      `Content-Type: ${type}`,
      'Content-Length: 26214400',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(SENT, () => resolve(socket));
  });
}

test('half-sent bodies are not kept in memory, whatever path they are sent to', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void;
  const bytes = () => process.memoryUsage().arrayBuffers;
  collectGarbage({ type: 'major' });
  const atFirst = bytes();
  /** Collects garbage only where it decides: in a worker that has run other files, each time takes up to a second. */
  const keptBytes = (most: number): number => {
    for (const type of ['minor', 'major'] as const) if (bytes() - atFirst >= most) collectGarbage({ type });
    return bytes() - atFirst;
  };
  const targets = [
    ...pages.map((path) => ({ method: 'POST', path: fill(path) })),
    ...declaredCalls
      .filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method))
      .map(({ method, path }) => ({ method, path: fill(path) })),
  ];
  expect(targets.length).toBeGreaterThan(80);

  for (let at = 0; at < targets.length; at += PATHS_AT_ONCE) {
    const tried = targets.slice(at, at + PATHS_AT_ONCE);
    const sockets = await Promise.all(
      tried.flatMap(({ method, path }) => Array.from({ length: CONNECTIONS }, () => sendHalf(method, path))),
    );
    let read = -1;
    await expect
      .poll(
        () => {
          const before = read;
          read = site.bytesRead();
          return read - before;
        },
        { message: 'bytes read since the last look', timeout: 40_000, interval: 100 },
      )
      .toBe(0);
    // Up to its limit a body is kept while it arrives.
    await expect
      .poll(() => keptBytes(MOST_KEPT_BYTES), {
        message: tried.map(({ method, path }) => `${method} ${path}`).join(', '),
        timeout: 40_000,
        interval: 200,
      })
      .toBeLessThan(MOST_KEPT_BYTES);
    for (const socket of sockets) socket.destroy();
  }
  await expect
    .poll(() => keptBytes(MOST_LEFT_BYTES), {
      message: 'left by closed connections',
      timeout: 20_000,
      interval: 200,
    })
    .toBeLessThan(MOST_LEFT_BYTES);
});
