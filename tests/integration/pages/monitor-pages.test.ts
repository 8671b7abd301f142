import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { QUEUE_PREFIX } from '#shared/queues/catalogue';
import { findRoomWatch, listWatches } from '#shared/monitor/watches/watches';
import * as checkPage from '~/routes/admin/monitor/checks/check';
import * as pageText from '~/routes/admin/monitor/checks/page-text';
import * as monitorPage from '~/routes/admin/monitor/monitor';
import * as watchPage from '~/routes/admin/monitor/watch';
import * as addPage from '~/routes/admin/monitor/watches/add';
import * as deletePage from '~/routes/admin/monitor/watches/delete';
import * as editPage from '~/routes/admin/monitor/watches/edit';
import * as listJson from '~/routes/admin/monitor/watches/watch-list';
import { startPrivateRedis } from '../../../scripts/processes/private-redis.mjs';
import { createApiFixture, freshEmail, type ApiFixture } from '../api/api-fixture';
import { createMonitorFixture, type MonitorFixture } from '../monitor/monitor-fixture';
import { createRenderedSite, type RenderedPage } from '../rendered-site';

const MONITOR = '/dashboard/monitor';
const site = createRenderedSite({
  [MONITOR]: monitorPage,
  [`${MONITOR}/new`]: addPage,
  [`${MONITOR}/watches.json`]: listJson,
  [`${MONITOR}/:slug`]: watchPage,
  [`${MONITOR}/:slug/edit`]: editPage,
  [`${MONITOR}/:slug/delete`]: deletePage,
  [`${MONITOR}/:slug/checks/:checkId`]: checkPage,
  [`${MONITOR}/:slug/checks/:checkId/page.txt`]: pageText,
});

const folder = mkdtempSync(join(tmpdir(), 'packwatch-monitor-pages-'));
// The web process and the daemon use the same queues.
let redis: Awaited<ReturnType<typeof startPrivateRedis>>;
let fixture: MonitorFixture;
let api: ApiFixture;
let token: string;
beforeAll(async () => {
  redis = await startPrivateRedis({ directory: folder });
  fixture = await createMonitorFixture({ redisUrl: redis.url, prefix: QUEUE_PREFIX, webhooks: [] });
  api = await createApiFixture({ ...fixture.environment, ...fixture.ofDatabase });
  token = await api.signIn(await api.account('admin', { email: freshEmail() }));
  await fixture.startDaemon();
});
afterAll(async () => {
  await api.cleanup();
  await fixture.cleanup();
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

const get = (path: string) => site.get(MONITOR + path, token);
const post = (path: string, fields: Record<string, string>) => site.post(MONITOR + path, token, fields);
/** The words of a page, without its scripts' data. */
const wordsOf = ({ html }: RenderedPage) =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,])/g, '');

describe('the page of one check', () => {
  let id: string;
  let address: string;
  beforeAll(async () => {
    fixture.sandbox.shop.show('imperva-room');
    ({ id } = await fixture.check());
    address = `/${DEFAULT_WATCH_ID}/checks/${id}`;
  });

  it('shows the verdict, each sign with its weight, the flags and the response as text', async () => {
    const page = await get(address);
    const words = wordsOf(page);
    expect(words).toMatch(
      /Evidence Weight 100 The frame that holds Imperva’s waiting room : points to a waiting room .*wrid=/,
    );
    expect(words).toContain('Response length');
    expect(words).toContain(' Short ');
    expect(words).toContain('HTTP 200');
    // The frame of the shop's page is our text, not a frame.
    expect(page.html).toContain('&lt;iframe');
    expect(page.html.replace(/<script[\s\S]*?<\/script>/g, '')).not.toContain('<iframe');
  });

  it('has the whole stored response as plain text', async () => {
    const { status, html } = await get(`${address}/page.txt`);
    expect(status).toBe(200);
    expect(html).toContain('<iframe');
    expect((await site.get(`${MONITOR}${address}/page.txt`, '')).leadsTo).toMatch(/^\/\?auth=login/);
  });

  it('judges the page again: the same verdict, and another one where the rules were others', async () => {
    expect(wordsOf(await post(address, { intent: 'judge' }))).toContain(
      'The verdict is the same with today’s rules. Waiting room',
    );
    await fixture.db
      .updateTable('monitor_checks')
      .set({ verdict: 'unknown', strength: null })
      .where('id', '=', id)
      .execute();
    expect(wordsOf(await post(address, { intent: 'judge' }))).toContain(
      'With today’s rules the verdict is different. At the check it was: unknown. Waiting room',
    );
  });

  it('says when the page is no longer stored, and offers no judgement then', async () => {
    const { id: other } = await fixture.check();
    await fixture.db.deleteFrom('check_bodies').where('check_id', '=', other).execute();
    const page = wordsOf(await get(`/${DEFAULT_WATCH_ID}/checks/${other}`));
    expect(page).toContain('The page is no longer stored, so it cannot be judged again');
    const { status, html } = await get(`/${DEFAULT_WATCH_ID}/checks/${other}/page.txt`);
    expect([status, html]).toEqual([404, 'The response is no longer stored: it is kept for a week.\n']);
    expect(wordsOf(await post(`/${DEFAULT_WATCH_ID}/checks/${other}`, { intent: 'judge' }))).toContain(
      'pages are kept for a week',
    );
  });

  it('is 404 with a way on for a check that the watch does not have', async () => {
    const page = await get(`/${DEFAULT_WATCH_ID}/checks/none`);
    expect(page.status).toBe(404);
  });
});

it('Latest Debug Data is a part of the screen that an address opens', async () => {
  fixture.sandbox.shop.show('bot-wall');
  await fixture.check();
  const words = wordsOf(await get(`/${DEFAULT_WATCH_ID}?debug=1`));
  expect(words).toMatch(/Latest Debug Data Checked .* Verdict Unknown Waiting room detected no/);
  expect(words).toContain('Incapsula incident ID');
  expect(wordsOf(await get(`/${DEFAULT_WATCH_ID}`))).not.toContain('Waiting room detected');
});

it('the screen begins with the state of the shop', async () => {
  expect(wordsOf(await get(`/${DEFAULT_WATCH_ID}`))).toMatch(/ Pokemon Center UK Monitor Current Status /);
});

it('a webhook is deleted after a question that says which audience gets no alert', async () => {
  const address = `/${DEFAULT_WATCH_ID}`;
  const question = `${address}?delete-webhook=free`;
  const audiences = async () =>
    (await api.db.selectFrom('webhooks').select('audience').execute()).map(({ audience }) => audience);
  expect(wordsOf(await get(question))).not.toContain('Delete the free webhook?');
  const saved = { intent: 'set-webhook', audience: 'free', webhook_url: fixture.sandbox.webhookUrl('free') };
  await post(address, saved);
  const screen = await get(address);
  expect(screen.html).toContain('?delete-webhook=free"');
  expect(screen.html).not.toContain('value="delete-webhook"');
  const words = wordsOf(await get(question));
  expect(words).toContain(
    'Delete the free webhook? The free audience then gets no alert on Discord about Pok',
  );
  expect(words).toContain('until a webhook is set again');
  // Without scripts the question is a part of the page, and has to be seen without scrolling.
  expect(words.indexOf('Delete the free webhook?')).toBeLessThan(words.indexOf('Current Status'));
  expect(await audiences()).toEqual(['free']);
  await post(question, { intent: 'delete-webhook', audience: 'free' });
  expect(await audiences()).toEqual([]);
  expect(wordsOf(await get(`${address}?delete-webhook=all`))).not.toContain('Delete the ');
});

it('the screen draws the day and flags short answers', async () => {
  const words = wordsOf(await get(`/${DEFAULT_WATCH_ID}`));
  expect(words).toMatch(/The last 24 hours \d checks: \d waiting room, \d unknown/);
  expect(words).toMatch(/HTTP \d+ · \d+ ms (Alert sent )?Short/);
});

describe('watches', () => {
  const fields = {
    intent: 'add',
    shop: 'Card Shop',
    title: 'Elite boxes',
    hoursFrom: '7',
    hoursTo: '23',
    timeZone: 'Europe/Paris',
    intervalSeconds: '45',
  };

  it('a new watch is refused beside the field that is wrong, and what was typed stays; webhooks do not', async () => {
    const url = 'http://10.0.0.1/';
    const webhookInstant = 'https://discord.com/api/webhooks/1/a-secret-token';
    const page = await post('/new', { ...fields, url, webhookInstant });
    expect(page.status).toBe(200);
    expect(wordsOf(page)).toMatch(/Address of the page A public page\. .* public internet/);
    expect(page.html).toContain(`value="${url}"`);
    expect(page.html).toContain('value="Elite boxes"');
    expect(page.html).not.toContain('a-secret-token');

    const wrong = { hoursFrom: '12', hoursTo: '12', intervalSeconds: '5', timeZone: 'Mars', shop: ' ' };
    for (const [name, sentence] of [
      ['intervalSeconds', 'The interval is a whole number of seconds from 15 to 3600.'],
      ['timeZone', 'Please enter a time zone such as Europe/London.'],
      ['shop', 'Please enter the name of the shop.'],
    ] as const)
      expect(wordsOf(await post('/new', { ...fields, url, [name]: wrong[name] }))).toContain(sentence);
    const hours = await post('/new', { ...fields, url, hoursFrom: '12', hoursTo: '12' });
    expect(wordsOf(hours)).toContain('The hours are two whole hours');
    expect(await listWatches(fixture.db)).toHaveLength(1);
  });

  it('is added, listed, started, stopped, edited and deleted by forms', async () => {
    const webhookInstant = fixture.sandbox.webhookUrl('instant');
    const added = await post('/new', { ...fields, url: fixture.sandbox.shopUrl, webhookInstant });
    expect(added.leadsTo).toBe(`${MONITOR}/elite-boxes`);
    expect(await findRoomWatch(fixture.db, 'elite-boxes')).toMatchObject({
      hours: '7-23',
      time_zone: 'Europe/Paris',
      interval_seconds: 45,
      running: 0,
    });

    const list = wordsOf(await get(''));
    expect(list).toContain(' Watches Each watch checks one page of a shop');
    expect(list).toContain('2 watches: 1 with a waiting room, 1 stopped.');
    expect(list).toContain(' Start Edit Delete ');
    expect(list).not.toMatch(/Pause|Resume/i);
    expect(list).toMatch(
      /Stopped Elite boxes Card Shop Not checked yet every 45 seconds, 7am to 11pm Paris time/,
    );

    expect((await post('', { intent: 'start', slug: 'elite-boxes' })).leadsTo).toBe(MONITOR);
    expect((await findRoomWatch(fixture.db, 'elite-boxes'))?.running).toBe(1);
    const { watches } = JSON.parse((await get('/watches.json')).html) as {
      watches: { slug: string; running: boolean }[];
    };
    expect(watches.map(({ slug, running }) => [slug, running])).toEqual([
      // Its alert is open: it comes first.
      [DEFAULT_WATCH_ID, false],
      ['elite-boxes', true],
    ]);
    await post('', { intent: 'stop', slug: 'elite-boxes' });
    expect((await findRoomWatch(fixture.db, 'elite-boxes'))?.running).toBe(0);
    expect(wordsOf(await post('', { intent: 'stop', slug: 'none' }))).toContain(
      'There is no watch called none',
    );

    expect((await get('/elite-boxes/edit')).html).toContain('value="Europe/Paris"');
    const { html } = await get('/elite-boxes/edit');
    expect(html).not.toContain('webhookInstant');
    const edited = await post('/elite-boxes/edit', {
      ...fields,
      intent: 'edit',
      url: fixture.sandbox.shopUrl,
      title: 'Elite trainer boxes',
    });
    expect(edited.leadsTo).toBe(`${MONITOR}/elite-boxes`);
    expect((await findRoomWatch(fixture.db, 'elite-boxes'))?.title).toBe('Elite trainer boxes');

    expect(wordsOf(await get('/elite-boxes/delete'))).toContain('Delete Elite trainer boxes?');
    expect((await post('/elite-boxes/delete', { intent: 'delete' })).leadsTo).toBe(MONITOR);
    expect(await findRoomWatch(fixture.db, 'elite-boxes')).toBeNull();
    expect((await get('/elite-boxes')).leadsTo).toBe(MONITOR);
  });

  it('the first watch cannot be deleted', async () => {
    expect((await get(`/${DEFAULT_WATCH_ID}/delete`)).leadsTo).toBe(`${MONITOR}/${DEFAULT_WATCH_ID}`);
    expect(wordsOf(await post(`/${DEFAULT_WATCH_ID}/delete`, { intent: 'delete' }))).not.toContain(
      'is deleted',
    );
    expect(await listWatches(fixture.db)).toHaveLength(1);
  });
});
