import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listRecentAlerts } from '#shared/alerts/list-alerts';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { DAY, HOUR, MINUTE, SECOND, toIso } from '#shared/clock';
import { findCheck, listChecks } from '#shared/monitor/checks/reading/checks';
import { listCheckBands } from '#shared/monitor/read-status.server';
import { applyRetention } from '#shared/monitor/retention';
import { RAW_RESPONSE_LIMIT } from '#shared/monitor/checks/stored-body.server';
import type { Judgement } from '#shared/monitor/checks/verdict';
import { createTestDatabase, type TestDatabase } from '../database';
import { storeCheck } from '../alerts/finished-check';
import { checkOnce } from './check-once';

const NOON = Date.parse('2027-06-15T12:00:00.000Z');
const room: Judgement = {
  verdict: 'waiting_room',
  strength: 'strong',
  unknownReason: null,
  reason: 'A frame.',
  signs: [],
};
const wall: Judgement = {
  verdict: 'unknown',
  strength: null,
  unknownReason: 'blocked',
  reason: 'A wall.',
  signs: [],
};

let test: TestDatabase;
let now: number;
const clock = { now: () => now };

beforeEach(async () => {
  test = await createTestDatabase();
  now = NOON;
});
afterEach(() => test.cleanup());

const readRow = (id: string) =>
  test.db.selectFrom('monitor_checks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('the stored evidence of a check', () => {
  it.each([
    [30_000, 1_000, { slow: false, short: false }],
    [30_001, 999, { slow: true, short: true }],
  ] as const)(
    'marks %i ms and %i characters by the limits of the specification',
    async (responseTimeMs, length, marks) => {
      const id = await storeCheck(test.db, clock, { responseTimeMs, body: 'x'.repeat(length) });
      expect((await findCheck(test.db, id))?.content_analysis).toMatchObject(marks);
    },
  );

  it('is the first 100 KB of the page and its full length', async () => {
    const id = await storeCheck(test.db, clock, { body: 'x'.repeat(300_000) });
    expect((await findCheck(test.db, id))?.raw_response).toBe('x'.repeat(RAW_RESPONSE_LIMIT));
    expect(await readRow(id)).toMatchObject({ raw_response_length: 300_000 });
    expect(RAW_RESPONSE_LIMIT).toBe(102_400);
  });

  it('has the page of an alert that is sent at once, stored after the message has left', async () => {
    const page = '<iframe src="/_Incapsula_Resource?wrid=901"></iframe>';
    await test.db
      .insertInto('webhooks')
      .values({ watch_id: DEFAULT_WATCH_ID, audience: 'instant', sealed_url: '-', updated_at: toIso(NOON) })
      .execute();
    const atDispatch: unknown[] = [];
    const checked = await checkOnce(test.db, page, {
      sender: 'this daemon',
      onRecorded: ({ deliveries, unstoredPage }) =>
        atDispatch.push(
          deliveries.map(({ status }) => status),
          unstoredPage?.page,
        ),
    });
    expect(atDispatch).toEqual([['sending'], page]);
    const id = 'checkId' in checked ? checked.checkId : '';
    expect((await findCheck(test.db, id))?.raw_response).toBe(page);
  });

  it('has the names of cookies, never their values', async () => {
    const headers = {
      'set-cookie': ['visid_incap_1=s3cret-one; Path=/; HttpOnly', 'plain=s3cret-two'],
      'x-iinfo': '1-2-3',
    };
    const id = await storeCheck(test.db, clock, { headers });
    const single = await storeCheck(test.db, clock, {
      headers: { 'set-cookie': 'one=s3cret-three; Secure' },
    });
    expect((await findCheck(test.db, id))?.response_headers).toEqual({
      'set-cookie': ['visid_incap_1=…; Path=/; HttpOnly', 'plain=…'],
      'x-iinfo': '1-2-3',
    });
    expect(JSON.stringify([await readRow(id), await readRow(single)])).not.toContain('s3cret');
  });

  it('never has a response before its request', async () => {
    const id = await storeCheck(test.db, clock, { responseTimeMs: -3.7 });
    expect((await readRow(id)).response_time_ms).toBe(0);
  });
});

describe('the counts of checks', () => {
  const readCounts = () =>
    test.db
      .selectFrom('check_counts')
      .select(['span', 'starts_at', 'total', 'conclusive'])
      .orderBy('starts_at')
      .orderBy('span')
      .execute();

  it('are per hour and day (UTC), and kept for two days and ninety days', async () => {
    now = Date.parse('2027-06-14T23:59:59.999Z');
    await storeCheck(test.db, clock, { judgement: wall });
    await storeCheck(test.db, clock);
    now += 1;
    await storeCheck(test.db, clock, { judgement: room });
    const [before, midnight] = ['2027-06-14', '2027-06-15'].map((day) => `${day}T00:00:00.000Z`);
    const counts = [
      { span: 'day', starts_at: before, total: 2, conclusive: 1 },
      { span: 'hour', starts_at: '2027-06-14T23:00:00.000Z', total: 2, conclusive: 1 },
      { span: 'day', starts_at: midnight, total: 1, conclusive: 1 },
      { span: 'hour', starts_at: midnight, total: 1, conclusive: 1 },
    ];
    expect(await readCounts()).toEqual(counts);
    await applyRetention(test.db, now + 2 * DAY);
    expect(await readCounts()).toEqual([counts[0], counts[2], counts[3]]);
    await applyRetention(test.db, now + 91 * DAY);
    expect(await readCounts()).toEqual([counts[2]]);
  });
});

describe('retention', () => {
  it('clears pages after a week, deletes checks after ninety days, and keeps alerts for ever', async () => {
    const ages = [91 * DAY, 89 * DAY, 8 * DAY, 7 * DAY - MINUTE, 0];
    const ids: string[] = [];
    for (const age of ages) {
      now = NOON - age;
      ids.push(await storeCheck(test.db, clock, { judgement: room, body: 'a page' }));
    }
    now = NOON;
    expect(await applyRetention(test.db, now)).toEqual({ pagesCleared: 3, checksDeleted: 1 });
    const found = await Promise.all(ids.map((id) => findCheck(test.db, id)));
    expect(found.map((check) => (check === null ? 'gone' : check.raw_response))).toEqual([
      'gone',
      null,
      null,
      'a page',
      'a page',
    ]);
    expect((await readRow(ids[1] ?? '')).raw_response_length).toBe('a page'.length);
    // Days lie between the checks, so each of them opened an alert.
    expect(await listRecentAlerts(test.db, { limit: 10 })).toHaveLength(ages.length);
    expect(await applyRetention(test.db, now)).toEqual({ pagesCleared: 0, checksDeleted: 0 });
  });

  it('works through more rows than fit one step', async () => {
    now = NOON - 100 * DAY;
    const id = await storeCheck(test.db, clock, { body: 'a page' });
    const row = await readRow(id);
    const copies = Array.from({ length: 450 }, (_, index) => ({ ...row, id: `copy-${index}` }));
    await test.db.insertInto('monitor_checks').values(copies.slice(0, 225)).execute();
    await test.db.insertInto('monitor_checks').values(copies.slice(225)).execute();
    const body = await test.db.selectFrom('check_bodies').selectAll().executeTakeFirstOrThrow();
    await test.db
      .insertInto('check_bodies')
      .values(copies.map((copy) => ({ ...body, check_id: copy.id })))
      .execute();
    now = NOON;
    expect(await applyRetention(test.db, now)).toEqual({ pagesCleared: 451, checksDeleted: 451 });
  });
});

describe('the history', () => {
  it('lists the checks of the last hours, newest first, without their pages', async () => {
    for (const age of [3 * HOUR, HOUR, MINUTE]) {
      now = NOON - age;
      await storeCheck(test.db, clock, { body: 'a page', responseTimeMs: age / SECOND });
    }
    now = NOON;
    const { checks: listed, next } = await listChecks(test.db, { hours: 2, clock });
    expect(next).toBeNull();
    expect(listed.map((check) => check.response_time_ms)).toEqual([60, 3_600]);
    expect(listed.every((check) => check.raw_response === null)).toBe(true);
  });

  it('has spans of equal verdicts, ended by a change or by a gap', async () => {
    const at = (minutes: number): string => new Date(NOON + minutes * MINUTE).toISOString();
    const checks: [minutes: number, judgement: Judgement | undefined, ms: number][] = [
      [0, undefined, 100],
      [1, undefined, 200],
      [2, undefined, 600],
      [3, room, 50],
      [4, wall, 70],
      [5, room, 60],
      // A gap of up to three intervals does not end a span.
      [8, room, 80],
      [12, room, 90],
    ];
    for (const [minutes, judgement, responseTimeMs] of checks) {
      now = NOON + minutes * MINUTE;
      await storeCheck(test.db, clock, { responseTimeMs, ...(judgement === undefined ? {} : { judgement }) });
    }
    expect(await listCheckBands(test.db, { hours: 1, clock })).toEqual([
      { from: at(0), to: at(2), verdict: 'open', responseMs: 300 },
      { from: at(3), to: at(3), verdict: 'waiting_room', responseMs: 50 },
      { from: at(4), to: at(4), verdict: 'unknown', responseMs: 70 },
      { from: at(5), to: at(8), verdict: 'waiting_room', responseMs: 70 },
      { from: at(12), to: at(12), verdict: 'waiting_room', responseMs: 90 },
    ]);
  });
});
