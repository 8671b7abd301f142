import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { MINUTE, systemClock } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { noteSlowJudgement } from '#shared/monitor/checks/slow-judgement';
import { readWatch } from '#shared/monitor/watches/watches';
import type { CheckerContext } from '../../../daemon/checks/checker-context';
import { inlineJudge } from '../../../daemon/checks/judge';
import { notJudged } from '../../../daemon/checks/judging-lane';
import type { FetchOutcome } from '../../../daemon/waiting-room/fetch/fetch-outcome';
import { ROOM_PAGE } from '../../bench/pages';
import { createTestDatabase } from '../database';
import { checkOnce } from './check-once';

let db: Database;
let cleanup: () => Promise<void>;
beforeAll(async () => ({ db, cleanup } = await createTestDatabase()));
afterAll(() => cleanup());
beforeEach(() => db.deleteFrom('monitor_checks').execute());

/** Runs a check of a shop that shows its waiting room. */
const check = (more: Partial<CheckerContext> = {}) => checkOnce(db, ROOM_PAGE, more);

const stored = () => db.selectFrom('monitor_checks').select(['verdict', 'reason', 'error_message']).execute();
const leaseOf = async () => (await readWatch(db)).lease_owner;
const never = <T>() => new Promise<T>(() => undefined);

describe('a whole check has a limit', () => {
  it('that ends a fetch which ignores its signal: the check is unknown, and its lease returned', async () => {
    const fetcher = { fetch: () => never<FetchOutcome>(), close: () => Promise.resolve() };
    expect(await check({ fetcher, checkLimitMs: 4_500 })).toHaveProperty('checkId');
    expect(await stored()).toMatchObject([
      { verdict: 'unknown', error_message: expect.stringMatching(/^The fetch did not end: /) as string },
    ]);
    expect(await leaseOf()).toBeNull();
  });

  it('that leaves the judgement what the fetch has left', async () => {
    const limits: number[] = [];
    await check({
      checkLimitMs: 4_500,
      judge: (_page, { limitMs = 0 } = {}) => {
        limits.push(limitMs);
        return Promise.resolve(notJudged('late'));
      },
    });
    expect(limits[0]).toBeGreaterThan(0);
    expect(limits[0]).toBeLessThanOrEqual(4_300);
  });

  it('that ends a check whose step never ends, and its lease', async () => {
    expect(await check({ judge: () => never(), checkLimitMs: 300 })).toEqual({
      skipped: 'it took longer than 0.3 seconds',
    });
    expect(await leaseOf()).toBeNull();
    expect(await stored()).toEqual([]);
    expect(await check()).toHaveProperty('checkId');
  });
});

describe('a slow judgement', () => {
  const noteOf = async () => {
    const { judging_page: page, judging_since: since, judgings_unended: unended } = await readWatch(db);
    return { noted: page !== null && since !== null, unended };
  };
  /** Notes a slow judgement and does not end it, as a daemon that is killed. */
  const dieJudging = (body: string) =>
    noteSlowJudgement(db, { watchId: DEFAULT_WATCH_ID, body, now: systemClock.now() });

  it('is noted in its watch until it ends', async () => {
    const during: unknown[] = [];
    await check({
      judge: async (page, options) => {
        options?.onSlow?.();
        await expect.poll(noteOf).toEqual({ noted: true, unended: 1 });
        during.push(await noteOf());
        return inlineJudge.judge(page);
      },
    });
    expect(during).toEqual([{ noted: true, unended: 1 }]);
    expect(await noteOf()).toEqual({ noted: false, unended: 0 });
    expect(await stored()).toMatchObject([{ verdict: 'waiting_room' }]);
  });

  it('that a daemon did not survive is made once more: the daemon may have been killed during any page', async () => {
    await dieJudging(ROOM_PAGE);
    await check();
    expect(await stored()).toMatchObject([{ verdict: 'waiting_room' }]);
    expect(await noteOf()).toEqual({ noted: false, unended: 0 });
  });

  it('that two daemons did not survive makes the same page too costly for an hour', async () => {
    await dieJudging(ROOM_PAGE);
    await dieJudging(ROOM_PAGE);
    const later = (minutes: number) => ({ now: () => systemClock.now() + minutes * MINUTE });
    await check({ clock: later(59) });
    expect(await stored()).toMatchObject([
      {
        verdict: 'unknown',
        reason: 'This page is not judged for now: the daemon died while judging it before.',
      },
    ]);
    expect(await noteOf()).toEqual({ noted: true, unended: 2 });
    await check({ clock: later(61) });
    expect((await stored()).map(({ verdict }) => verdict).toSorted()).toEqual(['unknown', 'waiting_room']);
    expect(await noteOf()).toEqual({ noted: false, unended: 0 });
  });

  it('that ended two daemons makes every page of its watch too costly for a while', async () => {
    await dieJudging('one page');
    await dieJudging('another page');
    await check();
    expect(await stored()).toMatchObject([{ verdict: 'unknown' }]);
    const clock = { now: () => systemClock.now() + 6 * MINUTE };
    await check({ clock });
    expect((await stored()).map(({ verdict }) => verdict).toSorted()).toEqual(['unknown', 'waiting_room']);
  });
});
