import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { DAY, HOUR, MINUTE, SECOND, toIso } from '#shared/clock';
import { readCheckHealth } from '#shared/status/check-health.server';
import { settingsOf } from '#shared/monitor/monitor-settings';
import { readOpeningTimes } from '#shared/status/opening-times';
import { readPublicStatus, type PublicStatus } from '#shared/status/read-public-status';
import { readStatusVersion } from '#shared/status/status-version.server';
import { readWatch } from '#shared/monitor/watches/watches';
import { closeServerContext } from '~/http/server/context.server';
import { readStatusPage } from '~/routes/site/status-state.server';
import * as restockRoute from '~/routes/site/restock';
import { loader as live } from '~/routes/site/live/live-card';
import * as statusRoute from '~/routes/site/status';
import { loader as statusJson } from '~/routes/site/status-json';
import { createTestDatabase, type TestDatabase } from '../database';
import { createRenderedSite } from '../rendered-site';
import { addAlert, addHeartbeat, addWatch } from './status-data';
import { usesPostgres } from '../database-faults';

const SITE = 'https://packwatch.example';

let database: TestDatabase;
let db: TestDatabase['db'];
const now = Date.now();
const ago = (ms: number) => now - ms;

beforeEach(async () => {
  database = await createTestDatabase();
  ({ db } = database);
  for (const [name, value] of Object.entries(database.environment)) vi.stubEnv(name, value);
  vi.stubEnv('APP_URL', SITE);
  vi.stubEnv('LOG_LEVEL', 'silent');
  vi.stubEnv('REDIS_URL', undefined);
  vi.stubEnv('SESSION_SECRET', 'a secret of the tests, long enough');
  await db
    .updateTable('watches')
    .set({
      running: 1,
      hours: '0-24',
      last_verdict: 'open',
      last_checked_at: toIso(now),
      last_conclusive_at: toIso(now),
    })
    .execute();
  // A heartbeat from the near future stays fresh during the test.
  await addHeartbeat(db, now + 15 * SECOND);
});
afterEach(async () => {
  await closeServerContext();
  await database.cleanup();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const read = () => readPublicStatus(db, { now, health: new Map() });
const watchOf = ({ watches }: PublicStatus, slug: string = DEFAULT_WATCH_ID) =>
  watches.find((watch) => watch.slug === slug);

describe('the state of a watch', () => {
  test('is open since its last waiting room closed, and a waiting room since its alert opened', async () => {
    expect(watchOf(await read())).toMatchObject({ state: 'open', since: null, watching: 'now' });
    await addAlert(db, { openedAt: ago(DAY), lastedMs: 39 * MINUTE });
    expect(watchOf(await read())?.since).toBe(toIso(ago(DAY - 39 * MINUTE)));
    await addAlert(db, { openedAt: ago(4 * MINUTE), lastedMs: null });
    // An inconclusive check does not end it.
    await db.updateTable('watches').set({ last_verdict: 'unknown' }).execute();
    expect(watchOf(await read())).toMatchObject({ state: 'waiting_room', since: toIso(ago(4 * MINUTE)) });
  });

  test.each([
    ['an inconclusive check', { last_verdict: 'unknown' as const }, 'now'],
    ['a weak sign that is not confirmed', { last_verdict: 'waiting_room' as const }, 'now'],
    ['a check that is too old', { last_checked_at: toIso(ago(HOUR)) }, 'now'],
    ['no check at all', { last_verdict: null, last_checked_at: null }, 'now'],
  ])('is unknown after %s', async (_what, change, watching) => {
    await db.updateTable('watches').set(change).execute();
    expect(watchOf(await read())).toMatchObject({ state: 'unknown', watching });
  });

  test('says when it is not watched, and when the checks start again', async () => {
    const { hour, next } = hourAfter(now);
    await addWatch(db, 'resting', now, { hours: `${hour}-${hour + 1}`, time_zone: 'UTC' });
    await addWatch(db, 'paused', now, { running: 0 });
    const status = await read();
    expect(watchOf(status, 'resting')).toMatchObject({ watching: 'resting', resumesAt: toIso(next) });
    expect(watchOf(status, 'paused')).toMatchObject({ watching: 'paused', resumesAt: null });
    await db
      .updateTable('daemon_heartbeats')
      .set({ stopped_at: toIso(now) })
      .execute();
    expect(watchOf(await read())).toMatchObject({ watching: 'offline', state: 'unknown' });
  });
});

/** An hour of UTC that does not contain `at`, and its next start. */
function hourAfter(at: number): { hour: number; next: number } {
  const hour = (new Date(at).getUTCHours() + 2) % 24;
  const today = new Date(at).setUTCHours(hour, 0, 0, 0);
  return { hour, next: today > at ? today : today + DAY };
}

test('the last 50 alerts have their length and the measured head start; deleted watches are left out', async () => {
  await addWatch(db, 'other', now);
  await addWatch(db, 'gone', now, { deleted_at: toIso(now) });
  await addAlert(db, { watchId: 'gone', openedAt: ago(MINUTE), lastedMs: SECOND });
  await addAlert(db, { watchId: 'other', openedAt: ago(2 * MINUTE), lastedMs: null, freeMs: 30_490 });
  await addAlert(db, { openedAt: ago(HOUR), lastedMs: 20 * SECOND, freeMs: null });
  await addAlert(db, { openedAt: ago(2 * HOUR), lastedMs: HOUR, changes: { close_reason: 'moved' } });
  for (let day = 1; day <= 50; day += 1)
    await addAlert(db, { openedAt: ago(day * DAY), lastedMs: 39 * MINUTE });
  const { alerts, watches } = await read();
  expect(watches.map(({ slug }) => slug)).toEqual(['other', DEFAULT_WATCH_ID]);
  expect(alerts).toHaveLength(50);
  expect(alerts.slice(0, 4)).toEqual([
    {
      watch: 'other',
      openedAt: toIso(ago(2 * MINUTE)),
      closedAt: null,
      lastedSeconds: null,
      headStartSeconds: 30.4,
    },
    {
      watch: DEFAULT_WATCH_ID,
      openedAt: toIso(ago(HOUR)),
      closedAt: toIso(ago(HOUR - 20 * SECOND)),
      lastedSeconds: 20,
      headStartSeconds: null,
    },
    // No check saw it close.
    expect.objectContaining({ lastedSeconds: null, headStartSeconds: 30.1 }),
    expect.objectContaining({ lastedSeconds: 39 * 60, headStartSeconds: 30.1 }),
  ]);
});

test('check health sums 24 hours and 90 days of each watch', async () => {
  await addWatch(db, 'new', now);
  const hour = (ms: number) => `${toIso(now - ms).slice(0, 13)}:00:00.000Z`;
  const day = (ms: number) => `${toIso(now - ms).slice(0, 10)}T00:00:00.000Z`;
  const row = (span: 'hour' | 'day', starts_at: string, total: number, conclusive: number) => ({
    watch_id: DEFAULT_WATCH_ID,
    span,
    starts_at,
    total,
    conclusive,
  });
  await db
    .insertInto('check_counts')
    .values([
      row('hour', hour(0), 10, 9),
      row('hour', hour(23 * HOUR), 60, 60),
      row('hour', hour(25 * HOUR), 60, 0),
      row('day', day(0), 1_000, 990),
      row('day', day(89 * DAY), 1_000, 1_000),
      row('day', day(91 * DAY), 1_000, 0),
    ])
    .execute();
  const health = await readCheckHealth(db, { watchIds: [DEFAULT_WATCH_ID, 'new'], now });
  expect(health.get(DEFAULT_WATCH_ID)).toEqual({
    day: { total: 70, conclusive: 69 },
    ninetyDays: { total: 2_000, conclusive: 1_990 },
  });
  expect(health.get('new')?.ninetyDays).toEqual({ total: 0, conclusive: 0 });
});

test('openings are counted by the weekday and hour of the watch’s time zone, over 12 weeks', async () => {
  await addWatch(db, 'sydney', now, { time_zone: 'Australia/Sydney' });
  // Wednesday 23:30 UTC is Thursday 10:30 in Sydney in summer (UTC+11) and 09:30 in winter.
  const summer = Date.parse('2026-01-14T23:30:00.000Z');
  const winter = Date.parse('2026-05-06T23:30:00.000Z');
  for (const [openedAt, lastedMs] of [
    [summer, 10 * MINUTE],
    [winter, 20 * MINUTE],
    [winter - 7 * DAY, 40 * MINUTE],
  ] as const)
    await addAlert(db, { watchId: 'sydney', openedAt, lastedMs });
  await addAlert(db, { openedAt: winter, lastedMs: null });
  const watch = await readWatch(db, 'sydney');
  const of = { watchIds: [watch.id], ...settingsOf(watch) };
  const inSummer = await readOpeningTimes(db, { ...of, now: summer + DAY });
  // The later ones are after that time but are stored already; a page is always read at the current time.
  expect(inSummer.counts[3]?.[10]).toBe(1);
  const openings = await readOpeningTimes(db, { ...of, now: winter + HOUR });
  expect(openings).toMatchObject({ total: 2, medianSeconds: 30 * 60, now: { weekday: 3, hour: 10 } });
  expect(openings.counts[3]?.[9]).toBe(2);
  expect(openings.counts.flat().reduce((sum, count) => sum + count)).toBe(2);
});

test('the version changes with what the page shows, and not with each check', async () => {
  const version = async () => (await readStatusVersion(db, { now, audience: 'instant' })).status;
  const seen = [await version()];
  await db
    .updateTable('watches')
    .set({ last_checked_at: toIso(now + 1), last_check_id: 'c' })
    .execute();
  expect(await version()).toBe(seen[0]);
  await addAlert(db, { openedAt: now, lastedMs: null });
  seen.push(await version());
  await db
    .updateTable('alerts')
    .set({ status: 'closed', closed_at: toIso(now), revision: 2 })
    .execute();
  seen.push(await version());
  await addWatch(db, 'other', now);
  seen.push(await version());
  await db.updateTable('watches').set({ running: 0 }).where('id', '=', 'other').execute();
  seen.push(await version());
  expect(new Set(seen).size).toBe(5);
});

// The plans of SQLite.
test.skipIf(usesPostgres())('no query of the page walks a table that grows', async () => {
  const statements = new Set<string>();
  const prepare = Sqlite.prototype.prepare;
  vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (this: Sqlite.Database, source: string) {
    statements.add(source);
    return prepare.call(this, source) as ReturnType<typeof prepare>;
  });
  await addAlert(db, { openedAt: ago(HOUR), lastedMs: MINUTE });
  statements.clear();
  expect(await readStatusPage('free', DEFAULT_WATCH_ID)).not.toBeNull();
  const file = new Sqlite(database.file);
  const plans = [...statements].flatMap((source) =>
    (
      file.prepare(`explain query plan ${source}`).all(...Array.from(source.matchAll(/\?/g), () => null)) as {
        detail: string;
      }[]
    ).map(({ detail }) => detail),
  );
  file.close();
  expect(plans.length).toBeGreaterThan(5);
  const walks = plans.filter(
    (plan) =>
      /^SCAN (alerts|alert_deliveries|check_counts|monitor_checks|newest)\b/.test(plan) &&
      // The newest alerts in order of their index; the limit ends it.
      plan !== 'SCAN alerts USING INDEX alerts_by_time',
  );
  expect(walks).toEqual([]);
});

describe('the pages', () => {
  const site = createRenderedSite({ '/status': statusRoute, '/restock/:productId': restockRoute });
  const args = (path: string) => ({ request: new Request(SITE + path), params: {}, context: {} });

  test('/status answers the question, shows the hours and has no address of a shop', async () => {
    await addWatch(db, 'other', now, { title: 'Other <Shop>' });
    // A zone without clock changes, so that all of them opened at the same hour.
    await db.updateTable('watches').set({ time_zone: 'UTC' }).execute();
    for (const week of [1, 2, 3, 4])
      await addAlert(db, { openedAt: ago(week * 7 * DAY), lastedMs: 39 * MINUTE });
    const calm = await site.get('/status', '');
    expect(calm.text).toContain('No waiting room is open');
    expect(calm.text).toContain('4 in the last 12 weeks, by UTC.');
    expect(calm.text).toContain('4 times');
    expect(calm.html).not.toContain('other.example');
    await addAlert(db, { watchId: 'other', openedAt: ago(MINUTE), lastedMs: null });
    expect((await site.get('/status?watch=other', '')).text).toContain(
      'The waiting room of Other &lt;Shop&gt; is open',
    );
    expect((await site.get('/status?watch=nothing', '')).leadsTo).toBe('/status');
  });

  test('a shop that was not checked yet differs from one that we could not judge', async () => {
    const fresh = { last_verdict: null, last_checked_at: null, last_conclusive_at: null };
    await addWatch(db, 'fresh', now, { title: 'Fresh Shop', ...fresh });
    const status = await site.get('/status', '');
    expect(status.text).toContain('Not checked yet Fresh Shop The first check is coming up.');
    expect((await site.get('/restock/fresh', '')).text).toContain('This shop has not been checked yet.');
  });

  test('/status.json is public, says what the page shows, and answers 304 and 503', async () => {
    await addAlert(db, { openedAt: ago(HOUR), lastedMs: MINUTE });
    const answer = await statusJson(args('/status.json'));
    expect(answer.headers.get('Content-Type')).toContain('application/json');
    const status = (await answer.json()) as PublicStatus;
    expect(status).toEqual((await readStatusPage('free', null))?.status);
    expect(JSON.stringify(status)).not.toMatch(/https?:/);
    const again = args('/status.json');
    again.request.headers.set('If-None-Match', answer.headers.get('ETag') ?? '');
    expect((await statusJson(again)).status).toBe(304);
    await db.schema.alterTable('watches').renameTo('watches_away').execute();
    expect((await statusJson(args('/status.json'))).status).toBe(503);
  });

  test('/restock shows the current state of each watch, and unknown names as products', async () => {
    await addWatch(db, 'other', now, { title: 'Other Shop', hours: '8-20', time_zone: 'Europe/Berlin' });
    await addAlert(db, { watchId: 'other', openedAt: ago(4 * MINUTE), lastedMs: null, freeMs: 30_090 });
    const open = await site.get('/restock/other?name=Evil', '');
    expect(open.text).toContain('Other Shop waiting room');
    expect(open.text).toContain('The waiting room is open, since');
    expect(open.text).toContain('What Premium changed this time 30 seconds');
    expect(open.text).toContain('8am to 8pm Berlin time');
    expect(open.html).toContain('href="https://other.example/"');
    expect(open.text).not.toContain('Evil');
    await db
      .updateTable('alerts')
      .set({ status: 'closed', closed_at: toIso(now) })
      .execute();
    expect((await site.get('/restock/other', '')).text).toContain(
      'The waiting room has closed. It lasted 4 minutes, until',
    );
    expect((await site.get('/restock/pokemon-center-uk', '')).text).toContain(
      'No waiting room has been seen here yet.',
    );
    for (const unknown of ['OTHER', '__proto__', 'x'.repeat(5_000)])
      expect((await site.get(`/restock/${unknown}`, '')).text).toContain('This product is now in stock!');
  });

  test('/live.json has each watch, and 404 for an unknown one', async () => {
    await addWatch(db, 'other', now, { title: 'Other Shop' });
    expect(await (await live(args('/live.json?watch=other'))).json()).toMatchObject({ shop: 'Other Shop' });
    expect((await live(args('/live.json?watch=nothing'))).status).toBe(404);
  });
});
