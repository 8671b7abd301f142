import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DAY, HOUR, SECOND, toIso } from '#shared/clock';
import { applyRetention } from '#shared/monitor/retention';
import { countScrappeyCalls } from '#shared/monitor/checks/recording/check-counts';
import { watchMonitor } from '#shared/monitor/watchdog';
import { readLiveMonitor } from '~/routes/site/site-state.server';
import { readLandingPage } from '~/routes/site/landing.server';
import { SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { loader as monitorPage } from '~/routes/admin/monitor/monitor';
import { showHistory } from '../../../daemon/cli/monitor-commands/show-history';
import { showStatus } from '../../../daemon/cli/monitor-commands/show-status';
import { callApi, createApiFixture, freshEmail, type ApiFixture } from '../api/api-fixture';
import { storeCheck } from '../alerts/finished-check';
import { addManyChecks } from './many-checks';
import { createMonitorFixture, type MonitorFixture } from './monitor-fixture';
import { cpuTimeOf } from '../../cpu-time';
import { usesPostgres } from '../database-faults';

/** As many as are inserted in about a second; the query plans show that a million behaves alike. */
const COUNT = 60_000;

let fixture: MonitorFixture;
let api: ApiFixture;
let token: string;
/** The time of the newest check, in epoch ms. */
let newest: number;
/** The processor time that reading all checks takes on this machine. */
let wholeMs: number;
const statements = new Set<string>();

beforeAll(async () => {
  const prepare = Sqlite.prototype.prepare;
  vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (this: Sqlite.Database, source: string) {
    statements.add(source);
    return prepare.call(this, source) as ReturnType<typeof prepare>;
  });
  fixture = await createMonitorFixture({ webhooks: ['instant', 'admin'] });
  api = await createApiFixture({ ...fixture.environment, ...fixture.ofDatabase });
  const admin = await api.account('admin', { email: freshEmail() });
  token = await api.signIn(admin);
  newest = Date.now() - 5 * SECOND;
  await addManyChecks(fixture.db, { count: COUNT, newest });
  wholeMs = await cpuTimeOf(() => fixture.db.selectFrom('monitor_checks').selectAll().execute());
  // Not the statements of the preparation.
  statements.clear();
});
afterAll(async () => {
  await api.cleanup();
  await fixture.cleanup();
  vi.restoreAllMocks();
});

interface Page {
  history: { id: string; check_timestamp: string; raw_response: null }[];
  next: string | null;
}

async function history(query: string): Promise<Page> {
  const answer = await callApi('GET', `/api/pokemon-center/history${query}`, { token });
  expect(answer.status).toBe(200);
  return answer.body.data as Page;
}

function screenArgs(path: string) {
  const headers = { Cookie: `${SESSION_COOKIE}=${token}` };
  return { request: new Request(`https://packwatch.example${path}`, { headers }), params: {}, context: {} };
}

describe('a history of many checks', () => {
  it('has 500 checks per page by default, newest first', async () => {
    const page = await history('?hours=720');
    expect(page.history).toHaveLength(500);
    const times = page.history.map((check) => check.check_timestamp);
    expect(times).toEqual([...times].sort().reverse());
    expect(page.next).toBe(page.history.at(-1)?.id);
    expect((await history('?hours=720&limit=1000')).history).toHaveLength(1_000);
    expect((await history('')).history).toHaveLength(500);
  });

  it('is paged without a gap or a repeat, to its last page', async () => {
    const ids: string[] = [];
    let next: string | null = null;
    let pages = 0;
    do {
      const page: Page = await history(`?hours=24&limit=1000${next === null ? '' : `&before=${next}`}`);
      ids.push(...page.history.map((check) => check.id));
      next = page.next;
      pages += 1;
    } while (next !== null);
    expect(pages).toBe(6);
    // A day at fifteen seconds; the oldest checks have left the day since they were inserted.
    const left = Math.ceil((Date.now() - newest) / (15 * SECOND));
    expect(ids.length).toBeGreaterThanOrEqual(5_760 - left);
    expect(ids.length).toBeLessThanOrEqual(5_760);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('distinguishes checks with the same timestamp', async () => {
    const at = Date.now() + 2 * SECOND;
    const same = [];
    for (let index = 0; index < 5; index += 1) same.push(await storeCheck(fixture.db, { now: () => at }));
    const first = await history('?hours=1&limit=2');
    const second = await history(`?hours=1&limit=2&before=${first.next}`);
    const third = await history(`?hours=1&limit=1&before=${second.next}`);
    const ids = [first, second, third].flatMap((page) => page.history.map((check) => check.id));
    expect([...ids].sort()).toEqual([...same].sort());
  });

  it.each([
    '?limit=0',
    '?limit=1001',
    '?limit=-1',
    '?limit=1e2',
    '?limit=',
    '?before=',
    '?before=none',
    `?before=${'x'.repeat(101)}`,
    '?before=a&before=b',
  ])('refuses %s with 400 and the name of the parameter', async (query) => {
    const answer = await callApi('GET', `/api/pokemon-center/history${query}`, { token });
    const name = query.slice(1, query.indexOf('='));
    expect(answer).toMatchObject({ status: 400, body: { errors: { [name]: [expect.any(String)] } } });
  });

  it('does not block other work of the process while it is read', async () => {
    let turns = 0;
    let reading = true;
    const count = (): void => {
      turns += 1;
      if (reading) setImmediate(count);
    };
    setImmediate(count);
    await history('?hours=720&limit=1000');
    reading = false;
    expect(turns).toBeGreaterThan(9);
  });

  it('is paged by the command line, which prints the command for the next page', async () => {
    const shown = await showHistory(fixture, { hours: '720', limit: '10' });
    const next = String(shown.json.next);
    expect(shown.lines.join('\n')).toContain(`history --hours 720 --limit 10 --before ${next}`);
    const older = await showHistory(fixture, { hours: '720', limit: '10', before: next });
    expect(older.json.history).toHaveLength(10);
    expect(older.lines.join('\n')).not.toContain(String(next));
    await expect(showHistory(fixture, { before: 'none' })).rejects.toMatchObject({
      code: 'unknown_check',
    });
    for (const input of [{ limit: '0' }, { limit: '1001' }, { hours: '721' }])
      await expect(showHistory(fixture, input)).rejects.toThrow('whole number');
  });

  it('is paged by the monitor page, which returns to its first page when a check was deleted', async () => {
    const seen: string[] = [];
    let path: string | null = '/dashboard/monitor';
    for (let page = 0; page < 3 && path !== null; page += 1) {
      const { screen } = await monitorPage(screenArgs(path));
      const activity = screen?.history?.activity;
      seen.push(...(activity?.entries ?? []).map((entry) => entry.id));
      path = activity?.older ?? null;
    }
    expect(new Set(seen).size).toBe(75);
    const gone: unknown = await monitorPage(screenArgs('/dashboard/monitor?before=gone')).catch(
      (error: unknown) => error,
    );
    expect(gone).toMatchObject({ status: 302 });
    expect((gone as Response).headers.get('Location')).toBe('/dashboard/monitor');
  });

  it.each([
    ['the monitor page', () => monitorPage(screenArgs('/dashboard/monitor'))],
    ['the status', () => callApi('GET', '/api/pokemon-center/status', { token })],
    ['the history', () => history('?hours=720')],
    ['the live card', () => readLiveMonitor('free')],
    ['the landing page', () => readLandingPage('free')],
  ])('is not read as a whole by %s, the first time included', async (_what, work) => {
    expect(await cpuTimeOf(work)).toBeLessThan(wholeMs);
  });
});

/** Tables with a row per check. */
const LARGE = ['monitor_checks', 'check_bodies'];

/** The steps of a query plan that scan a large table or one of its indexes. */
function scansOf(sqlite: Sqlite.Database, source: string): string[] {
  const parameters = Array.from({ length: (source.match(/\?/g) ?? []).length }, () => null);
  const steps = sqlite.prepare(`explain query plan ${source}`).all(...parameters) as { detail: string }[];
  return steps
    .map(({ detail }) => detail)
    .filter((detail) => LARGE.some((table) => new RegExp(`^SCAN ${table}\\b`).test(detail)));
}

// The plans of SQLite.
describe.skipIf(usesPostgres())('no query scans a table that grows with every check', () => {
  it('in the daemon, the site and the command line', async () => {
    await fixture.startDaemon();
    fixture.sandbox.shop.show('imperva-room');
    await fixture.check();
    fixture.sandbox.shop.show('open');
    await fixture.check();
    await fixture.check();
    const { clock, db } = fixture;
    await countScrappeyCalls(db, clock.now() - DAY);
    await watchMonitor(db, { adminContacts: { emails: [] }, now: clock.now() + HOUR });
    await history('?hours=720&limit=250');
    await history(`?before=${(await history('?limit=1')).next}`);
    for (const path of ['/status', '/debug/latest', '/settings'])
      await callApi('GET', `/api/pokemon-center${path}`, { token });
    await readLiveMonitor('free');
    await readLandingPage('free');
    await showHistory({ db, clock: fixture.clock }, { limit: '5' });
    await showStatus({ db, clock: fixture.clock }, fixture.keyring);
    // Last, since it deletes rows.
    const report = await applyRetention(db, clock.now() + 80 * DAY);
    expect(report.checksDeleted).toBeGreaterThan(0);

    const sqlite = new Sqlite(fixture.file, { readonly: true });
    const relevant = [...statements].filter(
      (source) =>
        LARGE.some((table) => source.includes(table)) && /^\s*(select|update|delete|with)/i.test(source),
    );
    expect(relevant.length).toBeGreaterThan(12);
    const scanning = relevant
      .map((source) => [source, scansOf(sqlite, source)] as const)
      .filter(([, steps]) => steps.length > 0);
    sqlite.close();
    expect(scanning).toEqual([]);
  });

  it('and this test detects a scan', () => {
    const sqlite = new Sqlite(fixture.file, { readonly: true });
    expect(scansOf(sqlite, 'select count(*) from monitor_checks where reason = ?')).toHaveLength(1);
    expect(
      scansOf(
        sqlite,
        `select 1 from monitor_checks where watch_id = 'a' and check_timestamp > '${toIso(0)}'`,
      ),
    ).toEqual([]);
    sqlite.close();
  });
});
