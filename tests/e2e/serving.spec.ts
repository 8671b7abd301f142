import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '#shared/accounts/account';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { inTransaction } from '#shared/database/transaction';
import { exchangeRaw, RAW_REQUESTS } from '../raw-requests';
import { createDatabase, startNode, startWeb, type Environment, type Web } from './stack';
import { expect, test } from './test';

let folder: string;
let environment: Environment;
let web: Web;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-serving-'));
  // No Redis listens at this address: the web process serves without it.
  environment = {
    DATA_DIR: folder,
    REDIS_URL: 'redis://127.0.0.1:1',
    APP_URL: 'https://packwatch.example',
    SESSION_SECRET: 'a-secret-of-some-length',
  };
  await createDatabase(folder);
  web = await startWeb(environment, mkdtempSync(join(folder, 'web-')));
});

// After a test that ended the process, the next one gets another, with its own log.
test.beforeEach(async () => {
  const { exitCode, signalCode } = web.running.child;
  if (exitCode !== null || signalCode !== null)
    web = await startWeb(environment, mkdtempSync(join(folder, 'web-')));
});

test.afterAll(async () => {
  await web.running.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Sends bytes as they are and resolves with everything that comes back. */
function sendRaw(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (received += text));
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
}

const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};

test('every answer carries the security headers and a request id @no-scripts', async ({ request }) => {
  const ids = new Set<string>();
  for (const path of [
    '/',
    '/nope',
    '/healthz',
    '/api/openapi.json',
    '/api/nope',
    '/favicon.ico',
    '/assets/none.js',
    '/api/%E0%A4%A',
    '/robots.txt',
    '/icon.svg',
    '/logout',
    '/uploads/none',
  ]) {
    const answer = await request.get(web.url + path, {
      maxRedirects: 0,
      headers: { 'X-Request-Id': 'theirs' },
    });
    expect(answer.headers(), path).toMatchObject(EVERYWHERE);
    expect(answer.headers()['permissions-policy'], path).toMatch(/ payment=\(\),/);
    // Exactly one: a browser enforces every policy it receives.
    const policies = answer.headersArray().filter(({ name }) => /^content-security-policy$/i.test(name));
    expect(policies, path).toHaveLength(1);
    expect(policies[0]?.value, path).toMatch(/^default-src '(self|none)'.*frame-ancestors 'none'$/);
    ids.add(answer.headers()['x-request-id'] ?? '');
  }
  expect(ids.size).toBe(12);
  expect(ids).not.toContain('theirs');
});

test('pages admit only their own scripts, by a nonce that changes @no-scripts', async ({ request }) => {
  const policies = [];
  for (let visit = 0; visit < 2; visit += 1) {
    const answer = await request.get(`${web.url}/login`);
    const policy = answer.headers()['content-security-policy'] ?? '';
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none';
    const html = await answer.text();
    expect(html.match(/<script(?![^>]*nonce=)/g)).toBeNull();
    expect(html).toContain(`nonce="${nonce}"`);
    expect(policy).toContain("frame-ancestors 'none'");
    policies.push(policy);
  }
  expect(policies[0]).not.toBe(policies[1]);
});

test('built files are kept for a year, files of public/ for an hour @no-scripts', async ({ request }) => {
  const html = await (await request.get(web.url)).text();
  const asset = /\/assets\/[^"]+\.css/.exec(html)?.[0] ?? '';
  expect((await request.get(web.url + asset)).headers()['cache-control']).toBe(
    'public, max-age=31536000, immutable',
  );
  expect((await request.get(`${web.url}/favicon.ico`)).headers()['cache-control']).toBe(
    'public, max-age=3600',
  );
});

// Whole maps took more memory than the web process may have, so that the first stack of an error ended it.
test('the source maps of web and daemon hold one line of our code per line @no-scripts', () => {
  for (const folder of ['build/server', 'build/daemon'])
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.js.map')) continue;
      const map = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>;
      expect({ name, keys: Object.keys(map) }).toEqual({
        name,
        keys: expect.not.arrayContaining(['sourcesContent']),
      });
      expect(map.mappings).toEqual(expect.not.stringContaining(','));
    }
});

test('the health check answers without Redis @no-scripts', async ({ request }) => {
  const answer = await request.get(`${web.url}/healthz`);
  expect(answer.status()).toBe(200);
  expect(await answer.json()).toMatchObject({
    status: 'degraded',
    database: { ok: true },
    redis: { ok: false },
  });
});

test('the API answers JSON to what its server would answer in HTML @no-scripts', async () => {
  const requests = [
    'TRACE /api/openapi.json HTTP/1.1\r\nHost: x',
    'PROPFIND /api/nope HTTP/1.1\r\nHost: x',
    'GET /api/%E0%A4%A HTTP/1.1\r\nHost: x',
    'GET /api/nope.data HTTP/1.1\r\nHost: x',
    'GET /api/nope?_data=root HTTP/1.1\r\nHost: x',
    'GET /api/nope HTTP/1.1\r\nHost: a b',
    'GET http://elsewhere.example/api/nope HTTP/1.1\r\nHost: x',
  ];
  for (const head of requests) {
    const answer = await sendRaw(web.url, `${head}\r\nConnection: close\r\n\r\n`);
    expect(answer, head).toMatch(/^HTTP\/1\.1 40[45] /);
    expect(answer, head).toContain('"success":false');
  }
});

test('a write from another site is refused by the path that is served, whatever its method @no-scripts', async () => {
  for (const [method, target] of [
    ['POST', '/login'],
    ['POST', '/api/../login'],
    ['POST', '/api/%2e%2e/login'],
    ['POST', '/login.data'],
    ['OPTIONS', '/login.data'],
    ['HEAD', '/login.data'],
    ['PROPFIND', '/api/../login.data'],
  ]) {
    for (const origin of ['https://evil.example', 'https://packwatch.example']) {
      const head = `${method} ${target} HTTP/1.1\r\nHost: packwatch.example\r\nOrigin: ${origin}`;
      const rest = 'Sec-Fetch-Site: cross-site\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
      const answer = await sendRaw(web.url, `${head}\r\n${rest}`);
      expect(answer, `${method} ${target}`).toMatch(/^HTTP\/1\.1 403 /);
    }
  }
});

test('the process survives every shape of a request @no-scripts', async ({ request }) => {
  const port = Number(new URL(web.url).port);
  for (const [name, bytes] of Object.entries(RAW_REQUESTS)) {
    const answer = await exchangeRaw(port, bytes, { host: 'localhost' });
    expect(answer, name).not.toMatch(/HTTP\/1\.1 5\d\d/);
  }
  expect((await request.get(`${web.url}/healthz`)).status()).toBe(200);
  expect(web.running.output()).not.toContain('uncaught exception');
});

test('no redirect leads to another host, however a path is spelled @no-scripts', async () => {
  for (const target of [
    '/\\evil.example/%2e%2e',
    '//evil.example/%2e%2e',
    '/\\/evil.example/%2e%2e',
    '/%5Cevil.example/%2e%2e',
    '/%2f%2fevil.example/%2e%2e',
    '/\\evil.example',
    '//evil.example',
  ]) {
    const answer = await sendRaw(
      web.url,
      `GET ${target} HTTP/1.1\r\nHost: packwatch.example\r\nConnection: close\r\n\r\n`,
    );
    const location = /^Location: (.*)\r$/im.exec(answer)?.[1] ?? '';
    expect(new URL(location, web.url).origin, `${target} → ${location}`).toBe(web.url);
  }
});

test('each request is one JSON line without its query, and every line is JSON @no-scripts', async ({
  request,
}) => {
  const answer = await request.get(`${web.url}/nope?token=hidden`, { maxRedirects: 0 });
  const id = answer.headers()['x-request-id'];
  await expect.poll(() => web.running.output()).toContain(`"requestId":"${id}"`);
  const lines = web.running.output().trim().split('\n');
  const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events.find((event) => event.requestId === id)).toMatchObject({
    method: 'GET',
    path: '/nope',
    status: 302,
    level: 'info',
  });
  expect(web.running.output()).not.toContain('hidden');
});

test('refused and successful sign-ins are logged with their network and account @no-scripts', async ({
  request,
}) => {
  const email = 'ann@packwatch.example';
  const db = openSqliteDatabase(join(folder, 'packwatch.db'));
  const { id } = await inTransaction(db, (trx) => createAccount(trx, { email, username: 'ann' }, Date.now()));
  await db.destroy();
  const tries = [email, 'nobody@packwatch.example'].map(async (address) => {
    const data = { email: address, password: 'a wrong password' };
    const answer = await request.post(`${web.url}/api/auth/login`, { data });
    expect(answer.status()).toBe(401);
    return answer.headers()['x-request-id'];
  });
  const [known, unknown] = await Promise.all(tries);
  const linesOf = (requestId: string | undefined) =>
    web.running
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line.requestId === requestId);
  await expect.poll(() => linesOf(unknown).some(({ msg }) => msg === 'request')).toBe(true);
  await expect.poll(() => linesOf(known).some(({ msg }) => msg === 'request')).toBe(true);
  for (const msg of ['sign-in refused', 'request'])
    expect(linesOf(known)).toContainEqual(
      expect.objectContaining({ msg, network: '127.0.0.0/24', accountId: id }),
    );
  expect(linesOf(unknown)).toContainEqual(
    expect.objectContaining({ msg: 'sign-in refused', way: 'password', refusal: 'invalid_credentials' }),
  );
  expect(linesOf(unknown).some((line) => 'accountId' in line)).toBe(false);
  const lines = JSON.stringify([...linesOf(known), ...linesOf(unknown)]);
  for (const secret of ['@packwatch.example', '127.0.0.1', 'a wrong password'])
    expect(lines).not.toContain(secret);
});

test('the data folder and what the process creates are readable by their owner only @no-scripts', () => {
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(folder).filter((file) => file.startsWith('packwatch.db')))
    expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0);
});

/** Sends a form, whose last bytes wait until `during` is done; the server has it in flight then. */
function sendFormAround(url: string, form: string, during: () => Promise<void>): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => {
      const head = ['POST /theme HTTP/1.1', 'Host: x', 'Connection: close', 'Expect: 100-continue'];
      head.push('Content-Type: application/x-www-form-urlencoded', `Content-Length: ${form.length}`);
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
    });
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      received += text;
      if (received.endsWith('100 Continue\r\n\r\n')) during().then(() => socket.write(form), reject);
    });
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} ends the process with 0, after the request in flight @no-scripts`, async () => {
    const answer = await sendFormAround(web.url, 'theme=dark', async () => {
      web.running.child.kill(signal);
      // More than one when a request of the start has not ended yet.
      await expect.poll(() => web.running.output()).toMatch(/"inFlight":[1-9]/);
    });
    expect(answer).toContain('303 See Other');
    expect(await web.running.ended).toEqual({ code: 0, signal: null });
  });
}

test('a second signal ends the process at once @no-scripts', async () => {
  await sendFormAround(web.url, 'theme=dark', async () => {
    await expect(async () => {
      web.running.child.kill('SIGTERM');
      expect(web.running.child.exitCode).toBe(1);
    }).toPass();
  }).catch(() => 'cut off');
  expect(await web.running.ended).toEqual({ code: 1, signal: null });
});

test('the process ends when its parent process goes away @no-scripts', async () => {
  web.running.child.disconnect();
  expect(await web.running.ended).toEqual({ code: 0, signal: null });
});

test('faults of the configuration are listed together, in sentences, before anything is served @no-scripts', async () => {
  const broken = startNode({
    name: 'broken',
    args: ['node_modules/@remix-run/serve/dist/cli.js', './build/server/index.js'],
    environment: { NODE_ENV: 'production', PORT: 'many', LOG_LEVEL: 'loud', DATA_DIR: folder },
    logFolder: folder,
  });
  expect((await broken.ended).code).toBe(1);
  for (const name of ['PORT', 'LOG_LEVEL', 'APP_URL', 'REDIS_URL']) expect(broken.output()).toContain(name);
  expect(broken.output()).not.toContain('    at ');
});
