import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { newId } from '#shared/ids';
import { startMonitoring, stopMonitoring } from '#shared/monitor/start-stop';
import type { Article } from '#shared/news/article';
import { createArticle, updateArticle } from '#shared/news/save-article.server';
import { SETTING_KEY } from '#shared/settings/read-settings';
import { writeSetting } from '#shared/settings/write-settings';
import { storeCheck } from '../integration/alerts/finished-check';
import { insertProductWatch, productCheck } from '../integration/monitor/product-watch';
import { setArticles } from './news-data';
import { createDatabase, startWeb, type Environment, type Web } from './stack';
import { expect, test } from './test';

/** The slug of a product that is in stock. */
const PRODUCT = 'ember-hollow-chest';

const actor = { userId: null };
const clock = systemClock;

let folder: string;
let db: Database;
/** Two web processes over one database; each test starts without articles. */
let webs: [Web, Web];

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-hot-path-'));
  const environment: Environment = {
    DATA_DIR: folder,
    REDIS_URL: 'redis://127.0.0.1:1',
    APP_URL: 'https://packwatch.example',
    SESSION_SECRET: 'a-secret-of-some-length',
  };
  await createDatabase(folder);
  db = openSqliteDatabase(join(folder, 'packwatch.db'));
  const product = await insertProductWatch(db, { fields: { slug: PRODUCT } });
  await storeCheck(db, clock, productCheck(product));
  webs = [await startWeb(environment, folder), await startWeb(environment, folder)];
});

test.beforeEach(() => setArticles(db, []));

test.afterAll(async () => {
  await Promise.all(webs.map((web) => web.running.stop()));
  await db.destroy();
  rmSync(folder, { recursive: true, force: true });
});

function write(title: string): Promise<Article> {
  return createArticle(db, {
    fields: { title, content: `<p>${'Words about it. '.repeat(60)}</p>`, published: true },
    author: { id: null, username: 'Robin' },
    clock,
  });
}

test('a save shows on the next request, in every process @no-scripts', async ({ request }) => {
  const { id } = await write('Before the change');
  for (const path of ['/', '/news', `/news/${id}`]) {
    for (const web of webs)
      expect(await (await request.get(web.url + path)).text(), path).toContain('Before the change');
  }
  await updateArticle(db, { id, changes: { title: 'After the change' }, actor, clock });
  for (const path of ['/', '/news', `/news/${id}`]) {
    for (const web of webs) {
      const html = await (await request.get(web.url + path)).text();
      expect(html, path).toContain('After the change');
      expect(html, path).not.toContain('Before the change');
    }
  }
  await writeSetting(db, { key: SETTING_KEY.newsEnabled, value: 'false', actor, clock });
  for (const web of webs) {
    expect((await request.get(`${web.url}/news`, { maxRedirects: 0 })).status()).toBe(302);
    expect(await (await request.get(web.url)).text()).not.toContain('After the change');
  }
});

test('a browser that has the page receives 304 until the page changes @no-scripts', async ({ request }) => {
  const { id } = await write('An article');
  const [{ url }] = webs;
  for (const path of ['/news', `/news/${id}`]) {
    const first = await request.get(url + path);
    const etag = first.headers().etag ?? '';
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    // The same bytes have the same name in the other process.
    expect((await request.get(webs[1].url + path)).headers().etag).toBe(etag);

    const again = await request.get(url + path, { headers: { 'If-None-Match': `"other", ${etag}` } });
    expect(again.status()).toBe(304);
    expect((await again.body()).byteLength).toBe(0);
    expect(again.headers()).toMatchObject({ etag, 'x-content-type-options': 'nosniff' });

    await updateArticle(db, { id, changes: { title: `Another title for ${path}` }, actor, clock });
    const changed = await request.get(url + path, { headers: { 'If-None-Match': etag } });
    expect(changed.status()).toBe(200);
    expect(changed.headers().etag).not.toBe(etag);
  }
});

test('a process that has not rendered the page since another change answers 304, too @no-scripts', async ({
  request,
}) => {
  const { id } = await write('An article');
  const url = `${webs[0].url}/news/${id}`;
  const etag = (await request.get(url)).headers().etag ?? '';
  await write('Another article');
  const again = await request.get(url, { headers: { 'If-None-Match': etag } });
  expect(again.status()).toBe(304);
  expect((await again.body()).byteLength).toBe(0);
  expect(again.headers()).toMatchObject({ etag, 'cache-control': 'private, no-cache' });
  expect(again.headers()['content-security-policy']).toContain("'sha256-");

  // Without changes a page is the same for a minute.
  await expect(async () => {
    const landing = (await request.get(webs[0].url)).headers().etag ?? '';
    const elsewhere = await request.get(webs[1].url, { headers: { 'If-None-Match': landing } });
    expect(elsewhere.status()).toBe(304);
  }).toPass();
});

test('a HEAD has the headers of a GET, for rendered and cached pages @no-scripts', async ({ request }) => {
  const { id } = await write('An article');
  const FIELDS = [
    'content-type',
    'content-security-policy',
    'cache-control',
    'etag',
    'vary',
    'content-length',
  ];
  const fieldsOf = (headers: Record<string, string>) => FIELDS.map((name) => headers[name]);
  const plain = { 'Accept-Encoding': 'identity' };
  for (const path of ['/news', `/news/${id}`, '/news/none']) {
    const url = webs[0].url + path;
    const rendered = await request.head(url, { headers: plain });
    const kept = await request.head(url, { headers: plain });
    const whole = await request.get(url, { headers: plain });
    expect((await rendered.body()).byteLength).toBe(0);
    expect(Number(rendered.headers()['content-length']), path).toBe((await whole.body()).byteLength);
    if (whole.status() !== 200) continue;
    expect(fieldsOf(rendered.headers()), path).toEqual(fieldsOf(whole.headers()));
    expect(fieldsOf(kept.headers()), path).toEqual(fieldsOf(whole.headers()));
  }
});

test('the landing page is answered with 304, too, within the same second @no-scripts', async ({
  request,
}) => {
  await write('An article');
  const { url } = webs[0];
  // Its times change every second: only a request within the same second can be unchanged.
  await expect(async () => {
    const etag = (await request.get(url)).headers().etag ?? '';
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    const again = await request.get(url, { headers: { 'If-None-Match': etag } });
    expect(again.status()).toBe(304);
    expect((await again.body()).byteLength).toBe(0);
    expect(again.headers().etag).toBe(etag);
    await write('Another article');
    const changed = await request.get(url, { headers: { 'If-None-Match': etag } });
    expect(changed.status()).toBe(200);
    expect(changed.headers().etag).not.toBe(etag);
  }).toPass();
});

test('a start or a stop of the monitor shows on the next request, in every process @no-scripts', async ({
  request,
}) => {
  const switches = [
    // No daemon runs here.
    [startMonitoring, 'Checks are interrupted'],
    [stopMonitoring, 'Monitoring is stopped'],
  ] as const;
  for (const [turn, headline] of switches) {
    const etags = await Promise.all(
      webs.map(async ({ url }) => (await request.get(url)).headers().etag ?? ''),
    );
    await turn(db, { actor, clock });
    for (const [at, { url }] of webs.entries()) {
      const page = await request.get(url, { headers: { 'If-None-Match': etags[at] ?? '' } });
      expect(page.status()).toBe(200);
      expect(await page.text()).toContain(headline);
    }
  }
});

test('a page rendered for one visitor’s cookies is never sent to another visitor @no-scripts', async ({
  request,
}) => {
  await write('An article');
  const url = `${webs[0].url}/news`;
  const plain = await (await request.get(url)).text();
  const themed = await request.post(`${webs[0].url}/theme`, {
    form: { theme: 'dark', returnTo: '/' },
    headers: { Origin: 'https://packwatch.example' },
    maxRedirects: 0,
  });
  const cookie = themed.headers()['set-cookie']?.split(';', 1)[0] ?? '';
  expect(cookie).toContain('theme=');
  const dark = await request.get(url, { headers: { Cookie: cookie } });
  expect(await dark.text()).toContain('data-theme="dark"');
  expect(plain).not.toContain('data-theme="dark"');
  expect(dark.headers().vary).toContain('Cookie');

  // A session's pages are made for it alone.
  const session = await request.get(url, {
    headers: { Cookie: `__Host-packwatch_session=${'x'.repeat(43)}` },
  });
  expect(session.headers().etag).toBeUndefined();
  expect(session.headers()['content-security-policy']).toContain("'nonce-");
  // What comes from outside cannot fill the cache.
  const forged = await request.get(`${url}?utm_source=discord`, { headers: { 'X-Render-Ticket': 'forged' } });
  expect(forged.headers().etag).toBeUndefined();
});

test('no cached page contains the address of the first request @no-scripts', async ({ request }) => {
  for (let article = 0; article < 11; article += 1) await write(`Article ${article}`);
  const url = `${webs[0].url}/news`;
  const stranger = await request.get(`${url}?page=2&page=strange%22r`);
  expect(await stranger.text()).toContain('strange');
  expect(stranger.headers().etag).toBeUndefined();
  const visitor = await request.get(`${url}?page=2`);
  expect(visitor.headers().etag).toBeDefined();
  expect(await visitor.text()).not.toContain('strange');
});

test('a consent cookie that cannot be read is logged once per visit, for rendered and cached pages @no-scripts', async ({
  request,
}) => {
  await write('An article');
  const [{ url, running }] = webs;
  const visit = async () => {
    const answer = await request.get(`${url}/news`, { headers: { Cookie: 'cookie-consent=not%20ours' } });
    expect(await answer.text()).toContain('Latest Stories');
    return answer.headers()['x-request-id'] ?? '';
  };
  for (const id of [await visit(), await visit()]) {
    // The request's own line is the last.
    const lines = () =>
      running
        .output()
        .split('\n')
        .filter((line) => line.includes(id));
    await expect.poll(lines).toContainEqual(expect.stringContaining('"msg":"request"'));
    expect(lines().filter((line) => line.includes('consent cookie unreadable'))).toHaveLength(1);
  }
});

test('a shared page allows its scripts by their hashes, in every encoding @no-scripts', async ({
  request,
}) => {
  await write('An article');
  const url = `${webs[0].url}/news`;
  const html = await (await request.get(url)).text();
  for (const encoding of ['br', 'gzip', 'identity']) {
    await expect
      .poll(async () => {
        const answer = await request.get(url, { headers: { 'Accept-Encoding': encoding } });
        expect(await answer.text()).toBe(html);
        return answer.headers()['content-encoding'] ?? 'identity';
      })
      .toBe(encoding);
  }
  const policy = (await request.get(url)).headers()['content-security-policy'] ?? '';
  expect(policy).not.toContain('nonce');
  const inline = [...html.matchAll(/<script(?![^>]*(?:\ssrc=|ld\+json))[^>]*>(.*?)<\/script>/gs)];
  expect(inline.length).toBeGreaterThan(2);
  for (const [, script = ''] of inline)
    expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
});

test('the text of an article is in its page once, and stays when the page’s data are read again', async ({
  page,
  request,
}) => {
  const text = '<p>Ink &amp; foil, “quoted”, and <em>one more word</em>.</p>';
  const { id } = await createArticle(db, {
    fields: { title: 'Once', content: text, published: true },
    author: { id: null, username: 'Robin' },
    clock,
  });
  await write('The other article');
  const address = `${webs[0].url}/news/${id}`;
  expect((await (await request.get(address)).text()).split('em>one more word')).toHaveLength(2);
  const body = page.locator('[data-html]');
  await page.goto(address);
  await expect(body).toHaveText('Ink & foil, “quoted”, and one more word.');
  await page.getByRole('link', { name: '← All news' }).click();
  await page.getByRole('link', { name: 'The other article' }).first().click();
  await expect(body).toContainText('Words about it.');
  await page.goBack();
  await page.goBack();
  await expect(body).toHaveText('Ink & foil, “quoted”, and one more word.');
});

test('a hundred visitors at once after a change all get the page @no-scripts', async ({ request }) => {
  const { id } = await write('Rush hour');
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => request.get(`${webs[0].url}/news/${id}`)),
  );
  const etags = new Set(answers.map((answer) => answer.headers().etag));
  expect(answers.map((answer) => answer.status())).toEqual(Array(100).fill(200));
  expect(etags.size).toBe(1);
});

test('a client that disconnects during a redirect does not block other clients @no-scripts', async ({
  request,
}) => {
  await write('The only page');
  const { port } = new URL(webs[0].url);
  for (let round = 0; round < 5; round += 1) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        // The second answer waits for the first one's, and is never begun.
        const requests = ['/login', `/news?page=${round + 2}`].map(
          (path) => `GET ${path} HTTP/1.1\r\nHost: packwatch.example\r\n\r\n`,
        );
        socket.write(requests.join(''), () => socket.destroy());
      });
      socket.on('close', () => resolve());
    });
    const answer = await request.get(`${webs[0].url}/news?page=${round + 2}`, {
      maxRedirects: 0,
      timeout: 30_000,
    });
    expect(answer.status()).toBe(302);
  }
});

// One constant beside a schema once added 25 KB of zod to the scripts of every page.
test('no script contains the validation library @no-scripts', () => {
  const folder = join('build', 'client', 'assets');
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(20);
  expect(scripts.filter((name) => readFileSync(join(folder, name), 'utf8').includes('ZodError'))).toEqual([]);
});

test('pages of a signed-in user are not cached @no-scripts', async ({ request }) => {
  for (const path of ['/', '/news', '/login']) {
    const answer = await request.get(webs[0].url + path, {
      headers: { Cookie: `__Host-packwatch_session=${'x'.repeat(43)}` },
    });
    expect(answer.headers()['cache-control'], path).toBe('no-store');
  }
});

test('uploads are served as immutable files, in ranges, and only with their own content type @no-scripts', async ({
  request,
}) => {
  const id = newId();
  mkdirSync(join(folder, 'uploads', id), { recursive: true });
  writeFileSync(join(folder, 'uploads', id, 'film.mp4'), Buffer.from('0123456789'));
  writeFileSync(join(folder, 'uploads', id, 'page.html'), '<script>alert(1)</script>');
  writeFileSync(join(folder, 'uploads', id, '480.webp'), 'narrow');
  writeFileSync(join(folder, 'secret.webp'), 'secret');
  const { url } = webs[0];
  const file = `${url}/uploads/${id}/film.mp4`;

  const whole = await request.get(file);
  expect(whole.headers()).toMatchObject({
    'content-type': 'video/mp4',
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
  const part = await request.get(file, { headers: { Range: 'bytes=2-4' } });
  expect(part.status()).toBe(206);
  expect(part.headers()['content-range']).toBe('bytes 2-4/10');
  expect(await part.text()).toBe('234');
  const beyond = await request.get(file, { headers: { Range: 'bytes=50-' } });
  expect(beyond.status()).toBe(416);
  expect(beyond.headers()['content-range']).toBe('bytes */10');
  const unchanged = await request.get(file, { headers: { 'If-None-Match': whole.headers().etag ?? '' } });
  expect(unchanged.status()).toBe(304);
  const head = await request.head(file);
  expect(head.headers()['content-length']).toBe('10');
  // Images of earlier releases lack this width.
  expect(await (await request.get(`${url}/uploads/${id}/240.webp`)).text()).toBe('narrow');

  for (const path of [
    `/uploads/${newId()}/240.webp`,
    `/uploads/${id}/page.html`,
    `/uploads/${id}/none.webp`,
    `/uploads/${id}/`,
    '/uploads/',
    `/uploads/${id}/../../secret.webp`,
    '/uploads/..%2fsecret.webp',
    '/uploads/.part/secret.webp',
  ]) {
    const answer = await request.get(url + path, { maxRedirects: 0 });
    expect([302, 404], path).toContain(answer.status());
    expect(await answer.text(), path).not.toContain('alert(1)');
    expect(await answer.text(), path).not.toContain('secret');
  }
});

const ASSETS = join('build', 'client', 'assets');

/** A file of the build by the beginning of its name. */
function findAsset(name: string): string {
  const found = readdirSync(ASSETS).filter((file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file));
  expect(found, name).toHaveLength(1);
  return found[0] ?? '';
}

/** The scripts of a page: those that it names, those of its parts, and what these import. */
function scriptsOf(html: string): string[] {
  const named = [...html.matchAll(/\/assets\/([\w.-]+\.js)/g)].map(([, name]) => name ?? '');
  const parts = [...html.matchAll(/data-part="([\w-]+)"/g)].map(([, name]) => findAsset(name ?? ''));
  const found = new Set<string>();
  const waiting = [...named, ...parts];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const code = readFileSync(join(ASSETS, name), 'utf8');
    waiting.push(
      ...[...code.matchAll(/\b(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)].map(([, other]) => other ?? ''),
    );
  }
  return [...found];
}

/** What only some pages need, which none of these loads: the editor, payment, charts of checks, uploads, the list of files. */
const FOREIGN = /^(?:writer|card-form|payment-page|watch-screen|upload-queue|download-status)/;
const MOST_STYLES = 10_000;
/** The most scripts of a public page, and their bytes in Brotli, manifest of the routes and libraries included. */
const BUDGETS = [
  { path: '/', files: 8, bytes: 95_000 },
  { path: '/news', files: 6, bytes: 88_000 },
  { path: '/status', files: 8, bytes: 93_000 },
  { path: '/restock', files: 8, bytes: 93_000 },
  { path: '/restock/a-product', files: 7, bytes: 93_000 },
  { path: `/restock/${PRODUCT}`, files: 8, bytes: 95_000 },
  { path: '/login', files: 7, bytes: 91_000 },
  { path: '/signup', files: 6, bytes: 90_000 },
  { path: '/developers', files: 6, bytes: 88_000 },
  { path: '/privacy', files: 5, bytes: 88_000 },
  { path: '/terms', files: 5, bytes: 88_000 },
];
for (const { path, files, bytes } of BUDGETS)
  test(`${path} loads at most ${files} scripts and ${bytes / 1_000} kB of them, and one style sheet @no-scripts`, async ({
    request,
  }) => {
    const [{ url }] = webs;
    const html = await (await request.get(url + path)).text();
    const scripts = scriptsOf(html);
    expect(scripts.filter((name) => FOREIGN.test(name))).toEqual([]);
    expect(scripts.length, scripts.join(' ')).toBeLessThanOrEqual(files);
    const styles = [...html.matchAll(/<link rel="stylesheet" href="\/assets\/([\w.-]+)"/g)];
    expect(styles).toHaveLength(1);
    const weigh = async (name: string) => {
      const answer = await request.get(`${url}/assets/${name}`);
      expect(answer.headers(), name).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
      return statSync(join(ASSETS, `${name}.br`)).size;
    };
    let sum = 0;
    for (const script of scripts) sum += await weigh(script);
    expect(sum).toBeLessThanOrEqual(bytes);
    expect(await weigh(styles[0]?.[1] ?? '')).toBeLessThanOrEqual(MOST_STYLES);
    expect(html.match(/<link rel="preload"[^>]* as="font"/g)).toHaveLength(2);
    // A page would look different without a rule that only `signed-in.css` has.
    const classes = new Set(
      [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')),
    );
    const rulesOf = (name: string) =>
      readFileSync(
        join(
          ASSETS,
          readdirSync(ASSETS).find((file) => file.startsWith(`${name}-`) && file.endsWith('.css')) ?? '',
        ),
        'utf8',
      );
    const [ours, all] = [rulesOf('app'), rulesOf('signed-in')];
    const ruleOf = (name: string) => `.${name.replaceAll(/[^\w-]/g, '\\$&')}`;
    expect([...classes].filter((name) => all.includes(ruleOf(name)) && !ours.includes(ruleOf(name)))).toEqual(
      [],
    );
  });

// Scripts that are requested before it delay it on a slow line; a page with much text is drawn late.
test('a page requests its scripts when its first paint is on the screen @own-context', async ({ page }) => {
  await page.goto(`${webs[0].url}/terms`);
  const read = () =>
    page.evaluate(() => {
      const files = performance.getEntriesByType('resource');
      return {
        painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
        requested: files.filter(({ name }) => name.endsWith('.js')).map(({ startTime }) => startTime),
      };
    });
  await expect.poll(async () => (await read()).requested.length).toBeGreaterThan(3);
  const { painted, requested } = await read();
  expect(Math.min(...requested)).toBeGreaterThanOrEqual(painted);
});
