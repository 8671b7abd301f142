import { DateTime } from 'luxon';
import { SECOND } from '#shared/clock';
import type { Config } from '#shared/config.server';
import { CHECK_LIMIT_MS } from '#shared/monitor/checks/check-lease';
import { countScrappeyCalls } from '#shared/monitor/checks/recording/check-counts';
import { clearSlowJudgement, isTooCostly, noteSlowJudgement } from '#shared/monitor/checks/slow-judgement';
import type { ExpectedProduct, Judgement } from '#shared/monitor/checks/verdict';
import type { MonitorSettings } from '#shared/monitor/monitor-settings';
import { SHOP_ZONE } from '#shared/monitor/monitoring-hours';
import type { Watch } from '#shared/monitor/watches/watches';
import { noAnswer, type FetchOutcome, type FetchRequest } from '../waiting-room/fetch/fetch-outcome';
import type { CheckerContext } from './checker-context';
import { DeadlineError, withinDeadline } from './deadline';
import { notJudged } from './judging-lane';

/** The time limit of each step of a check, in milliseconds after the check took its lease. */
export interface CheckLimits {
  /** The fetch aborts itself. */
  fetchMs: number;
  /** A fetch that has not aborted itself is abandoned. */
  fetchAbandonedMs: number;
  judgedMs: number;
  /** No further attempt to store the verdict. */
  storedMs: number;
  wholeMs: number;
}

/** Divides the limit of a whole check among its steps. Default: 45 seconds, of which the fetch has 38. */
export function limitsOf(wholeMs: number = CHECK_LIMIT_MS): CheckLimits {
  const part = (seconds: number): number => (wholeMs * seconds * SECOND) / CHECK_LIMIT_MS;
  return {
    fetchMs: part(38),
    fetchAbandonedMs: part(40),
    judgedMs: part(43),
    storedMs: part(44),
    wholeMs,
  };
}

/** Scrappey, or null when it is not configured or its budget of calls for today (in London) is spent. A limit of 0 means no limit. */
export async function chooseScrappey(
  { db, clock, monitor, logger }: CheckerContext,
  settings: MonitorSettings,
): Promise<Config['monitor']['scrappey']> {
  if (monitor.scrappey === null || settings.scrappeyDailyLimit === 0) return monitor.scrappey;
  const dayStart = DateTime.fromMillis(clock.now(), { zone: SHOP_ZONE }).startOf('day').toMillis();
  const calls = await countScrappeyCalls(db, dayStart);
  if (calls < settings.scrappeyDailyLimit) return monitor.scrappey;
  logger.warn({ calls }, 'the daily Scrappey budget is spent; fetching directly');
  return null;
}

/** Fetches the page. Resolves within the limit, even if the fetch ignores its signal. */
export async function fetchInTime(
  { fetcher }: Pick<CheckerContext, 'fetcher'>,
  request: FetchRequest & { signal: AbortSignal },
  limits: CheckLimits,
): Promise<FetchOutcome> {
  const startedAt = performance.now();
  try {
    return await withinDeadline({ limitMs: limits.fetchAbandonedMs, outer: request.signal }, (signal) =>
      fetcher.fetch({ ...request, signal, timeoutMs: limits.fetchMs }),
    );
  } catch (error) {
    if (!(error instanceof DeadlineError) || request.signal.aborted) throw error;
    const isDirect = request.scrappey === null;
    return {
      answer: noAnswer(request.targetUrl),
      responseTimeMs: performance.now() - startedAt,
      scrappeyStatus: isDirect ? 'disabled' : 'other',
      scrappeyRequestId: null,
      scrappeyCalls: isDirect ? 0 : 1,
      proxyUsed: null,
      errorMessage: `The fetch did not end: ${error.message}.`,
      backOffMs: null,
    };
  }
}

/**
 * Judges the fetched page within `limitMs`. A slow judgement is noted in the watch until it ends; if two daemons died
 * during it, the watch is not judged for a while. `product`: the data of a product watch; null for a waiting room.
 */
export async function judgeInTime(
  { db, clock, judge, logger }: Pick<CheckerContext, 'db' | 'clock' | 'judge' | 'logger'>,
  {
    watch,
    outcome,
    product,
    limitMs,
  }: { watch: Watch; outcome: FetchOutcome; product: ExpectedProduct | null; limitMs: number },
): Promise<Judgement> {
  const { body } = outcome.answer;
  if (isTooCostly(watch, body, clock.now()))
    return notJudged('This page is not judged for now: the daemon died while judging it before.');
  const notes: Promise<void>[] = [];
  const attempt = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => logger.warn({ err: error }, 'could not note a slow judgement'));
  try {
    return await judge(product === null ? outcome : { ...outcome, product }, {
      limitMs,
      onSlow() {
        notes.push(attempt(noteSlowJudgement(db, { watchId: watch.id, body, now: clock.now() })));
      },
    });
  } finally {
    await Promise.all(notes);
    if (notes.length > 0 || watch.judgings_unended > 0) await attempt(clearSlowJudgement(db, watch.id));
  }
}
