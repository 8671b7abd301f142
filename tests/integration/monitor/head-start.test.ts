import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FREE_DELAY_MS } from '#shared/alerts/alert-timing';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { HOUR, MINUTE, SECOND, toIso } from '#shared/clock';
import type { Verdict } from '#shared/monitor/checks/verdict';
import { newId } from '#shared/ids';
import type { PublicStatus } from '#shared/status/read-public-status';
import type { LiveMonitor } from '~/components/monitor/live-card';
import * as landingRoute from '~/routes/site/landing';
import { loader as liveCard } from '~/routes/site/live/live-card';
import { loader as liveRestock } from '~/routes/site/live/restock-page';
import { loader as liveStatus } from '~/routes/site/live/status-page';
import * as restockRoute from '~/routes/site/restock';
import * as statusRoute from '~/routes/site/status';
import { loader as statusJson } from '~/routes/site/status-json';
import { SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { callApi, createApiFixture, SITE, type ApiFixture } from '../api/api-fixture';
import { createRenderedSite } from '../rendered-site';
import { addAlert, addHeartbeat } from './status-data';

let fixture: ApiFixture;
let now: number;
const site = createRenderedSite({
  '/': landingRoute,
  '/status': statusRoute,
  '/restock/:productId': restockRoute,
});

beforeEach(async () => {
  // The middle of a minute and of the five seconds that the status is cached.
  now = Math.floor(Date.now() / MINUTE) * MINUTE + 30 * SECOND;
  vi.useFakeTimers({ toFake: ['Date'], now });
  fixture = await createApiFixture();
  await fixture.db.updateTable('watches').set({ running: 1, hours: '0-24', interval_seconds: 60 }).execute();
  await addCheck('open', now - 2 * MINUTE);
  await addCheck('open', now - MINUTE);
});
afterEach(async () => {
  vi.useRealTimers();
  await fixture.cleanup();
});

async function goOn(ms: number): Promise<void> {
  now += ms;
  vi.setSystemTime(now);
  await addHeartbeat(fixture.db, now);
}

async function addCheck(verdict: Verdict, at: number): Promise<void> {
  const id = newId();
  await fixture.db
    .insertInto('monitor_checks')
    .values({
      id,
      watch_id: DEFAULT_WATCH_ID,
      trigger: 'schedule',
      started_at: toIso(at - 400),
      check_timestamp: toIso(at),
      target_url: 'https://shop.example/',
      final_url: null,
      verdict,
      strength: verdict === 'waiting_room' ? 'weak' : null,
      reason: `The reason of ${verdict}.`,
      queue_detected: verdict === 'waiting_room' ? 1 : 0,
      error_message: null,
      response_time_ms: 412,
      http_status_code: 200,
      raw_response_length: 0,
      scrappey_status: 'disabled',
      scrappey_request_id: null,
      scrappey_calls: 0,
      proxy_used: null,
      content_analysis: '{}',
      response_headers: '{}',
      alert_id: null,
      alert_sent: 0,
    })
    .execute();
  await fixture.db
    .updateTable('watches')
    .set({
      last_check_id: id,
      last_verdict: verdict,
      last_checked_at: toIso(at),
      ...(verdict !== 'unknown' && { last_conclusive_at: toIso(at) }),
    })
    .where('id', '=', DEFAULT_WATCH_ID)
    .execute();
}

const SECRET =
  /waiting_room|The waiting room (is|of .{1,40} is) open|Possible waiting|Live for \d|The reason of waiting/;

/** What a caller reads in each place that says whether a waiting room is open; the pages without what all of them say. */
async function readAll(token: string): Promise<Record<string, string>> {
  const cookie = token === '' ? undefined : { Cookie: `${SESSION_COOKIE}=${token}` };
  const call = async (loader: (args: never) => unknown, path: string) => {
    const request = new Request(SITE + path, { ...(cookie && { headers: cookie }) });
    const response = (await loader({ request, params: {}, context: {} } as never)) as Response;
    return response.text();
  };
  const room = `?watch=${DEFAULT_WATCH_ID}`;
  return {
    landing: (await site.get('/', token)).text,
    status: (await site.get('/status', token)).text,
    restock: (await site.get(`/restock/${DEFAULT_WATCH_ID}`, token)).text,
    statusJson: await call(statusJson, '/status.json'),
    live: await call(liveCard, '/live.json'),
    liveStatus: await call(liveStatus, `/live/status.json${room}`),
    liveRestock: await call(liveRestock, `/live/restock.json${room}`),
  };
}

const placesThatTell = async (token: string) =>
  Object.entries(await readAll(token)).flatMap(([place, text]) => (SECRET.test(text) ? [place] : []));

const ALL = ['landing', 'status', 'restock', 'statusJson', 'live', 'liveStatus', 'liveRestock'];

async function openRoom(): Promise<void> {
  await addCheck('waiting_room', now);
  await addAlert(fixture.db, { openedAt: now, lastedMs: null, freeMs: null });
}

test('visitors and free members see an open waiting room when the free message is due, Pro and admins at once', async () => {
  const [free, pro, admin] = await Promise.all([
    fixture.tokenOf('member'),
    fixture.tokenOf('pro'),
    fixture.tokenOf('admin'),
  ]);
  await goOn(0);
  await openRoom();
  for (const token of ['', free]) expect(await placesThatTell(token)).toEqual([]);
  for (const token of [pro, admin]) expect(await placesThatTell(token)).toEqual(ALL);
  const { body } = await callApi('GET', '/api/pokemon-center/status', { token: admin });
  expect(body).toMatchObject({ data: { queueActive: true, state: 'waiting_room' } });
  const request = new Request(`${SITE}/status.json`, { headers: { Cookie: `${SESSION_COOKIE}=${pro}` } });
  const answer = await statusJson({ request, params: {}, context: {} });
  expect([answer.headers.get('Cache-Control'), answer.headers.get('Vary')]).toEqual([
    'private, no-cache',
    'Cookie',
  ]);

  await goOn(FREE_DELAY_MS - SECOND);
  await addCheck('waiting_room', now);
  expect(await placesThatTell('')).toEqual([]);
  await goOn(SECOND);
  for (const token of ['', free]) expect(await placesThatTell(token)).toEqual(ALL);
});

test('while it is hidden, the state before it is shown, and checks continue', async () => {
  await goOn(0);
  const [before] = (JSON.parse((await readAll('')).statusJson ?? '') as PublicStatus).watches;
  await openRoom();
  await goOn(5 * SECOND);
  const { statusJson: text = '', live = '' } = await readAll('');
  const { watches, alerts } = JSON.parse(text) as PublicStatus;
  expect(watches[0]).toEqual({ ...before, lastCheck: toIso(now - 5 * SECOND) });
  expect(alerts).toEqual([]);
  const { status, bands } = JSON.parse(live) as LiveMonitor;
  expect(status).toMatchObject({
    state: 'open',
    alert: null,
    queueActive: false,
    lastCheck: toIso(now - 5 * SECOND),
  });
  expect(bands).toMatchObject([{ verdict: 'open', to: toIso(now - 5 * SECOND) }]);
});

test('one that closes before the free message is due is in the history afterwards', async () => {
  await goOn(0);
  await openRoom();
  await goOn(10 * SECOND);
  await addCheck('open', now);
  await fixture.db
    .updateTable('alerts')
    .set({ status: 'closed', closed_at: toIso(now), revision: 2 })
    .execute();
  expect(await placesThatTell('')).toEqual([]);
  const past = async () =>
    (JSON.parse((await readAll('')).statusJson ?? '') as PublicStatus).alerts.map(
      ({ lastedSeconds }) => lastedSeconds,
    );
  expect(await past()).toEqual([]);
  await goOn(20 * SECOND);
  expect(await past()).toEqual([10]);
});

test('one that continues before the free message was sent is hidden until its new due time', async () => {
  await goOn(0);
  await openRoom();
  await goOn(2 * MINUTE);
  await addCheck('waiting_room', now);
  const setDelivery = (status: 'pending' | 'sent', attempts: number, dueAt: number) =>
    fixture.db
      .updateTable('alert_deliveries')
      .set({ status, attempts, due_at: toIso(dueAt) })
      .where('audience', '=', 'free')
      .execute();
  await setDelivery('pending', 0, now + FREE_DELAY_MS);
  expect(await placesThatTell('')).toEqual([]);
  // A message that was tried and is repeated later hides nothing any more.
  await setDelivery('pending', 1, now + FREE_DELAY_MS);
  await goOn(5 * SECOND);
  expect(await placesThatTell('')).toEqual(ALL);
});

test('a faint sign is hidden like the alert that it may become', async () => {
  await goOn(0);
  await addCheck('waiting_room', now);
  expect(await placesThatTell('')).toEqual([]);
  expect(await placesThatTell(await fixture.tokenOf('pro'))).toContain('landing');
  await goOn(10 * SECOND);
  await openRoom();
  await goOn(FREE_DELAY_MS - SECOND);
  expect(await placesThatTell('')).toEqual([]);
  await goOn(SECOND);
  expect(await placesThatTell('')).toEqual(ALL);
});

test('the alerts of a clock that was set back hide nothing', async () => {
  await goOn(0);
  await addCheck('waiting_room', now);
  await addAlert(fixture.db, { openedAt: now + HOUR, lastedMs: null, freeMs: null });
  expect(await placesThatTell('')).toEqual(ALL);
});
