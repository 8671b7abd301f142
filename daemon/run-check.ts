import { DateTime } from 'luxon';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromIso, MINUTE, SECOND, type Clock } from '#shared/clock';
import type { Config } from '#shared/config.server';
import type { Database } from '#shared/database/connection.server';
import { isBusy, isStorageFault } from '#shared/database/database-errors';
import type { Logger } from '#shared/logger.server';
import { LEASE_LASTS_MS, returnCheckLease, takeCheckLease } from '#shared/monitor/checks/check-lease';
import { readMonitorSettings, type MonitorSettings } from '#shared/monitor/monitor-settings';
import { isWithinHours, SHOP_ZONE } from '#shared/monitor/monitoring-hours';
import {
  countScrappeyCalls,
  LeaseLostError,
  recordCheck,
  type RecordedCheck,
  type RecorderContext,
} from '#shared/monitor/checks/record-check';
import type { Judgement } from '#shared/monitor/checks/verdict';
import { readWatch, urlOf } from '#shared/monitor/watches';
import type { FetchOutcome, PageFetcher } from './waiting-room/fetch/fetch-page';
import { judgeOutcome } from './waiting-room/judge-page';

/** A check by hand may have to wait this long behind a scheduled one. */
const LARGEST_JITTER_MS = 2 * SECOND;
const LEASE_POLL_MS = 100;
/** A verdict that cannot be stored at once is kept for this long; then the page is fetched again. */
const VERDICT_LASTS_MS = MINUTE;
const STORE_AGAIN_AFTER_MS = SECOND / 2;
/** A scheduled check whose verdict met a full or read-only disk is repeated after this pause. */
const REPEAT_AFTER_FAULT_MS = MINUTE;

export interface CheckerContext extends RecorderContext {
  db: Database;
  clock: Clock;
  /** Awaited before a stored time is compared with now. */
  settleClock: () => Promise<void>;
  logger: Logger;
  monitor: Config['monitor'];
  fetcher: PageFetcher;
  /** This process, as the lease names it. */
  owner: string;
  /** Called after the commit, before anything else: this is where alerts leave. */
  onRecorded: (recorded: RecordedCheck, judgement: Judgement) => void;
  /** Called for each attempt that failed because the disk is full, read-only or broken. */
  onStorageFault: (error: unknown) => void;
}

export interface CheckRequest {
  watchId: string;
  trigger: 'schedule' | 'manual' | 'confirm';
  /** Epoch ms. A check by hand is answered by any check that ended after it was asked for. */
  requestedAt: number;
  /** Ends the fetch early at shutdown; the check is then not recorded. */
  signal: AbortSignal;
}

export type CheckResult = { checkId: string } | { skipped: string };

/** Whether Scrappey may still be paid today (London's day); the limit 0 means none. */
async function chooseScrappey(
  { db, clock, monitor, logger }: CheckerContext,
  settings: MonitorSettings,
): Promise<Config['monitor']['scrappey']> {
  if (monitor.scrappey === null || settings.scrappeyDailyLimit === 0) return monitor.scrappey;
  const dayStart = DateTime.fromMillis(clock.now(), { zone: SHOP_ZONE }).startOf('day').toMillis();
  const calls = await countScrappeyCalls(db, dayStart);
  if (calls < settings.scrappeyDailyLimit) return monitor.scrappey;
  logger.warn({ calls }, 'the daily Scrappey budget is spent: fetching directly');
  return null;
}

/** Why a scheduled or confirming check need not run now; null when it must. */
async function reasonToSkip(
  context: CheckerContext,
  { watchId, trigger }: CheckRequest,
  settings: MonitorSettings,
): Promise<string | null> {
  const now = context.clock.now();
  const state = await readWatch(context.db, watchId);
  if (trigger === 'confirm') return state.weak_since === null ? 'the weak sign is settled' : null;
  if (trigger === 'manual') return null;
  if (state.running === 0) return 'monitoring is stopped';
  if (!isWithinHours(now, settings.hours, settings.timeZone)) return 'outside the monitoring hours';
  // A scheduler beats in whole intervals: a pause that ends within half of one ends with this beat.
  const early = (settings.intervalSeconds * SECOND) / 2;
  if (state.not_before !== null && fromIso(state.not_before) - now > early)
    return 'pausing after a challenge or block';
  return null;
}

/** Waits for the lease as long as one can last; a scheduled check does not wait, the next one is near. */
async function obtainLease(
  { db, clock, owner }: CheckerContext,
  { watchId, trigger, signal }: CheckRequest,
): Promise<number | null> {
  const giveUpAt = performance.now() + (trigger === 'schedule' ? 0 : LEASE_LASTS_MS);
  for (;;) {
    const token = await takeCheckLease(db, { watchId, owner, clock });
    if (token !== null || performance.now() >= giveUpAt) return token;
    await sleep(LEASE_POLL_MS, undefined, { signal });
  }
}

async function recordFinished(
  context: CheckerContext,
  {
    request,
    token,
    targetUrl,
    startedAt,
    outcome,
    judgement,
    intervalMs,
  }: {
    request: CheckRequest;
    token: number;
    targetUrl: string;
    startedAt: number;
    outcome: FetchOutcome;
    judgement: Judgement;
    intervalMs: number;
  },
): Promise<RecordedCheck> {
  const { answer } = outcome;
  return recordCheck(
    context,
    {
      watchId: request.watchId,
      trigger: request.trigger,
      targetUrl,
      startedAt,
      leaseToken: token,
      judgement,
      finalUrl: answer.finalUrl,
      httpStatus: answer.status === 0 ? null : answer.status,
      responseTimeMs: outcome.responseTimeMs,
      errorMessage: outcome.errorMessage,
      body: answer.body,
      headers: answer.headers,
      scrappey: {
        status: outcome.scrappeyStatus,
        requestId: outcome.scrappeyRequestId,
        calls: outcome.scrappeyCalls,
        proxy: outcome.proxyUsed,
      },
      backOffMs: outcome.backOffMs,
    },
    intervalMs,
  );
}

/**
 * Whether a check goes on after an error of the database. A lock is released soon. A full disk may stay full for
 * hours: the caller of a check by hand is told at once, a scheduled check goes on.
 */
function canWaitFor(context: CheckerContext, { trigger }: CheckRequest, error: unknown): boolean {
  if (isBusy(error)) return true;
  if (!isStorageFault(error)) return false;
  context.onStorageFault(error);
  return trigger !== 'manual';
}

/** Stores a verdict, repeatedly while the database cannot take it. Throws the database's error once the verdict is old. */
async function storeWhileFresh(
  context: CheckerContext,
  request: CheckRequest,
  store: () => Promise<RecordedCheck>,
): Promise<RecordedCheck> {
  const giveUpAt = performance.now() + VERDICT_LASTS_MS;
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (!canWaitFor(context, request, error) || performance.now() >= giveUpAt) throw error;
    }
    await sleep(STORE_AGAIN_AFTER_MS, undefined, { signal: request.signal });
  }
}

/**
 * One check: fetch, judge, store, send the alert. Of a watch only one runs at a time, however many daemons there are.
 * While the database is locked the verdict is kept; one that became too old is replaced by another check at once.
 * Throws when it was aborted, and a check by hand when the disk cannot store it; outside faults end as `unknown`.
 */
export async function runCheck(context: CheckerContext, request: CheckRequest): Promise<CheckResult> {
  for (let first = true; ; first = false) {
    try {
      return await attemptCheck(context, request, first);
    } catch (error) {
      if (request.signal.aborted || !canWaitFor(context, request, error)) throw error;
      context.logger.warn(
        { err: error, trigger: request.trigger },
        'a check could not be stored: it is repeated',
      );
      if (isStorageFault(error)) await sleep(REPEAT_AFTER_FAULT_MS, undefined, { signal: request.signal });
    }
  }
}

/** `jitter`: whether a scheduled check waits a moment first, so that checks are not made to the second. */
async function attemptCheck(
  context: CheckerContext,
  request: CheckRequest,
  jitter: boolean,
): Promise<CheckResult> {
  const { db, clock, logger, monitor } = context;
  await context.settleClock();
  const settings = await readMonitorSettings(db, request.watchId);
  const intervalMs = settings.intervalSeconds * SECOND;
  const skip = await reasonToSkip(context, request, settings);
  if (skip !== null) return { skipped: skip };

  if (request.trigger === 'schedule' && jitter) {
    await sleep(Math.random() * Math.min(intervalMs / 10, LARGEST_JITTER_MS), undefined, {
      signal: request.signal,
    });
    // Stop may have come meanwhile.
    const skipNow = await reasonToSkip(context, request, settings);
    if (skipNow !== null) return { skipped: skipNow };
  }
  const token = await obtainLease(context, request);
  if (token === null) return { skipped: 'another check is running' };

  let stored = false;
  try {
    const state = await readWatch(db, request.watchId);
    const targetUrl = urlOf(state, monitor);
    const startedAt = clock.now();
    const lastAt = state.last_checked_at === null ? null : fromIso(state.last_checked_at);
    // A check that ended later than now was made before the clock was set back.
    if (
      request.trigger === 'manual' &&
      state.last_check_id !== null &&
      lastAt !== null &&
      lastAt >= request.requestedAt &&
      lastAt <= startedAt
    ) {
      return { checkId: state.last_check_id };
    }
    const outcome = await context.fetcher.fetch({
      targetUrl,
      scrappey: await chooseScrappey(context, settings),
      signal: request.signal,
    });
    request.signal.throwIfAborted();
    const judgement = judgeOutcome(outcome);
    const recorded = await storeWhileFresh(context, request, async () => {
      await context.settleClock();
      return recordFinished(context, {
        request,
        token,
        targetUrl,
        startedAt,
        outcome,
        judgement,
        intervalMs,
      });
    });
    stored = true;
    context.onRecorded(recorded, judgement);
    logger.info(
      {
        watchId: request.watchId,
        checkId: recorded.checkId,
        trigger: request.trigger,
        verdict: judgement.verdict,
        reason: judgement.reason,
        status: outcome.answer.status,
        ms: Math.round(outcome.responseTimeMs),
        action: recorded.decision.action,
      },
      'checked',
    );
    return { checkId: recorded.checkId };
  } catch (error) {
    if (error instanceof LeaseLostError) {
      // Whoever asked by hand is answered by the check that came in between.
      return request.trigger === 'manual'
        ? attemptCheck(context, request, false)
        : { skipped: error.message };
    }
    throw error;
  } finally {
    // The recording transaction has given it back already. A lease that stays is this daemon's own: it can take it again.
    if (!stored)
      await returnCheckLease(db, token, request.watchId).catch((error: unknown) =>
        logger.debug({ err: error }, 'the check lease could not be given back'),
      );
  }
}
