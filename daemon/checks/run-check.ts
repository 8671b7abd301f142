import { setTimeout as sleep } from 'node:timers/promises';
import { fromIso, MINUTE, SECOND } from '#shared/clock';
import { isBusy, isStorageFault, isUnknownCommit } from '#shared/database/database-errors';
import type { Visit } from '#shared/monitor/hosts/host-visits';
import { LEASE_LIFETIME_MS, returnCheckLease, takeCheckLease } from '#shared/monitor/checks/check-lease';
import { readMonitorSettings, type MonitorSettings } from '#shared/monitor/monitor-settings';
import { isWithinHours } from '#shared/monitor/monitoring-hours';
import { largestJitterMs, pauseEnd } from '#shared/monitor/next-check';
import {
  LeaseLostError,
  recordCheck,
  type RecordedCheck,
} from '#shared/monitor/checks/recording/record-check';
import type { FinishedCheck } from '#shared/monitor/checks/recording/check-row';
import { storePage } from '#shared/monitor/checks/stored-body.server';
import { readWatch, urlOf, type Watch } from '#shared/monitor/watches/watches';
import type { CheckerContext } from './checker-context';
import { DeadlineError, withinDeadline } from './deadline';
import { chooseScrappey, fetchInTime, judgeInTime, limitsOf, type CheckLimits } from './fetch-and-judge';
import { SENT_AFTER_MS } from '#shared/outbox/sender';
import { seeProduct, type Seen } from './see-product';

const LEASE_POLL_MS = 100;
const STORE_AGAIN_AFTER_MS = SECOND / 2;
/** A scheduled check that a full or read-only disk could not store is repeated after this pause. */
const REPEAT_AFTER_FAULT_MS = MINUTE;

export interface CheckRequest {
  watchId: string;
  trigger: 'schedule' | 'manual' | 'confirm';
  /** Epoch ms. Any check that ended after this time satisfies a manual request. */
  requestedAt: number;
  /** Aborts the fetch at shutdown; the check is then not recorded. */
  signal: AbortSignal;
}

export type CheckResult = { checkId: string } | { skipped: string };

/** Why a check is skipped, or null when it must run. Only the deletion of the watch skips a manual check. */
function reasonToSkip(
  now: number,
  trigger: CheckRequest['trigger'],
  watch: Watch,
  settings: MonitorSettings,
): string | null {
  if (watch.deleted_at !== null) return 'the watch is deleted';
  if (trigger === 'confirm') return watch.weak_since === null ? 'the weak sign is settled' : null;
  if (trigger === 'manual') return null;
  if (watch.running === 0) return 'monitoring is stopped';
  if (!isWithinHours(now, settings.hours, settings.timeZone)) return 'outside the monitoring hours';
  if (watch.next_check_at !== null && fromIso(watch.next_check_at) > now) return 'no check is due';
  // The scheduler runs in whole intervals: a pause that ends within half an interval ends now.
  const early = (settings.intervalSeconds * SECOND) / 2;
  if (pauseEnd(watch, now) - now > early) return 'pausing after a challenge or block';
  return null;
}

/** Takes the lease and returns the watch. Waits for the lease for at most a lease's duration. A scheduled check does not wait, because the next one is due soon. */
async function obtainLease(
  { db, clock, owner }: CheckerContext,
  { watchId, trigger, signal }: CheckRequest,
): Promise<Watch | null> {
  const giveUpAt = performance.now() + (trigger === 'schedule' ? 0 : LEASE_LIFETIME_MS);
  for (;;) {
    const watch = await takeCheckLease(db, { watchId, owner, clock });
    if (watch !== null || performance.now() >= giveUpAt) return watch;
    await sleep(LEASE_POLL_MS, undefined, { signal });
  }
}

/** The stored data of a finished check: `begun` with the result. */
function finishedCheck(
  { outcome, judgement, pageIdentity, isPage }: Seen,
  begun: Pick<FinishedCheck, 'watchId' | 'trigger' | 'targetUrl' | 'startedAt' | 'leaseToken' | 'pace'>,
): FinishedCheck {
  const { answer } = outcome;
  return {
    ...begun,
    judgement,
    redirects: answer.hops.map(({ url }) => url),
    unverified: answer.unverified,
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
    pageIdentity,
    isPage,
  };
}

/**
 * Whether a check retries after a database error. A lock is released soon. A full disk may stay full for hours, so a
 * manual check fails at once and a scheduled check retries.
 */
function shouldRetry(context: CheckerContext, { trigger }: CheckRequest, error: unknown): boolean {
  if (isBusy(error)) return true;
  if (!isStorageFault(error)) return false;
  context.onStorageFault(error);
  return trigger !== 'manual';
}

/**
 * Stores a verdict, with retries while the database is unavailable. Throws the database's error once it is `giveUpAt` (on
 * the clock of `performance`).
 */
async function storeInTime(
  context: CheckerContext,
  request: CheckRequest,
  giveUpAt: number,
  store: () => Promise<RecordedCheck>,
): Promise<RecordedCheck> {
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (!shouldRetry(context, request, error) || performance.now() >= giveUpAt) throw error;
    }
    await sleep(STORE_AGAIN_AFTER_MS, undefined, { signal: request.signal });
  }
}

/**
 * Runs one check: fetch, judge, store, send the alert. Each watch has at most one running check across all daemons. The
 * whole check has a limit, and so has each of its steps. While the database is locked the verdict is retained; when the
 * limit is reached, the page is checked again. Throws when aborted, and for a manual check when the disk cannot store it.
 * Failures of the shop, of Scrappey or of the judgement give the verdict `unknown`.
 */
export async function runCheck(context: CheckerContext, request: CheckRequest): Promise<CheckResult> {
  for (let first = true; ; first = false) {
    try {
      return await attemptCheck(context, request, first);
    } catch (error) {
      const canRepeat = isUnknownCommit(error) || shouldRetry(context, request, error);
      if (request.signal.aborted || !canRepeat) throw error;
      context.logger.warn(
        { err: error, trigger: request.trigger },
        'could not store a check; it is repeated',
      );
      if (isStorageFault(error)) await sleep(REPEAT_AFTER_FAULT_MS, undefined, { signal: request.signal });
    }
  }
}

/** `jitter`: whether a scheduled check first waits a random time, so that requests do not arrive at exact intervals. */
async function attemptCheck(
  context: CheckerContext,
  request: CheckRequest,
  jitter: boolean,
): Promise<CheckResult> {
  const { db, clock } = context;
  const { watchId, trigger } = request;
  await context.handleClockStep();
  const before = await readWatch(db, watchId);
  const settings = await readMonitorSettings(db, before);
  const skip = reasonToSkip(clock.now(), trigger, before, settings);
  if (skip !== null) return { skipped: skip };

  if (before.kind === 'product') {
    const pageUrl = urlOf(before, context.monitor);
    const ignoresPause = trigger === 'manual';
    const result = await context.hostVisits.visit(
      { pageUrl, ignoresPause, signal: request.signal },
      (visit) => checkLeased(context, request, { settings, visit }),
    );
    return result ?? { skipped: 'the host is busy or paused' };
  }
  if (trigger === 'schedule' && jitter)
    await sleep(Math.random() * largestJitterMs(settings.intervalSeconds), undefined, {
      signal: request.signal,
    });
  return checkLeased(context, request, { settings, visit: null });
}

/** Takes the watch's lease and checks it. `visit`: the turn at the host of a product; null for a waiting room. */
async function checkLeased(
  context: CheckerContext,
  request: CheckRequest,
  { settings, visit }: { settings: MonitorSettings; visit: Visit | null },
): Promise<CheckResult> {
  const { db, clock, logger } = context;
  const { watchId, trigger } = request;
  const watch = await obtainLease(context, request);
  if (watch === null) return { skipped: 'another check is running' };

  const token = watch.lease_token;
  const limits = limitsOf(context.checkLimitMs);
  let stored = false;
  try {
    // Monitoring may have been stopped, or the watch deleted, since. A later deletion takes the lease away.
    const skipNow = reasonToSkip(clock.now(), trigger, watch, settings);
    if (skipNow !== null) return { skipped: skipNow };
    const result = await withinDeadline({ limitMs: limits.wholeMs, outer: request.signal }, (signal) =>
      checkWithLease(context, { ...request, signal }, { watch, settings, limits, visit }),
    );
    stored = 'checkId' in result;
    return result;
  } catch (error) {
    if (error instanceof LeaseLostError) {
      // The check that ran in between satisfies a manual request.
      return trigger === 'manual'
        ? checkLeased(context, request, { settings, visit })
        : { skipped: error.message };
    }
    if (error instanceof DeadlineError && !request.signal.aborted) {
      // Without the database no check can end; with it, one that does not is a bug.
      const level = context.isDatabaseOut() ? 'warn' : 'error';
      logger[level]({ watchId }, `a check was given up: ${error.message}`);
      return { skipped: error.message };
    }
    throw error;
  } finally {
    // The recording transaction returns the lease. If returning it here fails, this daemon can still take it again.
    if (!stored)
      await returnCheckLease(db, token, watchId).catch((error: unknown) =>
        logger.debug({ err: error }, 'could not return the check lease'),
      );
  }
}

/** Fetches and judges the page of a waiting room. `begunAt`: when the check began, on the clock of `performance`. */
async function seeRoom(
  context: CheckerContext,
  {
    watch,
    settings,
    limits,
    begunAt,
    targetUrl,
    signal,
  }: {
    watch: Watch;
    settings: MonitorSettings;
    limits: CheckLimits;
    begunAt: number;
    targetUrl: string;
    signal: AbortSignal;
  },
): Promise<Seen> {
  const scrappey = await chooseScrappey(context, settings);
  const page = { targetUrl, publicOnly: watch.url !== null, scrappey, signal };
  const outcome = await fetchInTime(context, page, limits);
  signal.throwIfAborted();
  const limitMs = Math.max(0, begunAt + limits.judgedMs - performance.now());
  const judgement = await judgeInTime(context, { watch, outcome, product: null, limitMs });
  return { outcome, judgement, pageIdentity: null, isPage: true };
}

/** Fetches, judges, stores and dispatches. Its steps end in time; what ignores the signal is abandoned by the caller. */
async function checkWithLease(
  context: CheckerContext,
  request: CheckRequest,
  {
    watch,
    settings,
    limits,
    visit,
  }: { watch: Watch; settings: MonitorSettings; limits: CheckLimits; visit: Visit | null },
): Promise<CheckResult> {
  const { db, clock, logger, monitor } = context;
  const { watchId, trigger, signal } = request;
  const begunAt = performance.now();
  const token = watch.lease_token;
  const targetUrl = urlOf(watch, monitor);
  const startedAt = clock.now();
  const lastAt = watch.last_checked_at === null ? null : fromIso(watch.last_checked_at);
  // A last check in the future was made before the clock was set back.
  if (
    trigger === 'manual' &&
    watch.last_check_id !== null &&
    lastAt !== null &&
    lastAt >= request.requestedAt &&
    lastAt <= startedAt
  ) {
    await returnCheckLease(db, token, watchId);
    return { checkId: watch.last_check_id };
  }
  const seen =
    visit === null
      ? await seeRoom(context, { watch, settings, limits, begunAt, targetUrl, signal })
      : await seeProduct(context, { watch, settings, limits, begunAt, pageUrl: targetUrl, visit, signal });
  const { outcome, judgement } = seen;
  const recorded = await storeInTime(context, request, begunAt + limits.storedMs, async () => {
    await context.handleClockStep();
    signal.throwIfAborted();
    const begun = {
      watchId,
      trigger,
      targetUrl,
      startedAt,
      leaseToken: token,
      pace: context.paceOf(targetUrl),
    };
    return recordCheck(context, finishedCheck(seen, begun), settings.intervalSeconds * SECOND);
  });
  context.onRecorded(recorded, judgement);
  logger.info(
    {
      watchId,
      checkId: recorded.checkId,
      trigger,
      verdict: judgement.product?.availability ?? judgement.verdict,
      reason: judgement.product?.reason ?? judgement.reason,
      status: outcome.answer.status,
      ms: Math.round(outcome.responseTimeMs),
      action: recorded.decision.action,
    },
    'checked',
  );
  if (recorded.unstoredPage !== null) await storePageLater(context, recorded.unstoredPage);
  return { checkId: recorded.checkId };
}

/** Stores the page of a check whose alert is being sent. A daemon that dies before loses the page, and no part of the alert. */
async function storePageLater(
  { db, logger }: CheckerContext,
  page: Parameters<typeof storePage>[1],
): Promise<void> {
  await sleep(SENT_AFTER_MS);
  await storePage(db, page).catch((error: unknown) =>
    logger.warn({ err: error, checkId: page.checkId }, 'could not store the page of a check'),
  );
}
