import { MINUTE, fromIso, isPast } from '#shared/clock';
import type { Database } from '#shared/database/schema';
import type { Visit } from '#shared/monitor/hosts/host-visits';
import { isBuyable } from '#shared/monitor/checks/recording/decide-restock';
import { readAskedPauseMs, type PageIdentity } from '#shared/monitor/checks/recording/check-row';
import type { ExpectedProduct, Judgement, ProductJudgement } from '#shared/monitor/checks/verdict';
import type { HostAnswer } from '#shared/monitor/hosts/host-turns';
import type { MonitorSettings } from '#shared/monitor/monitor-settings';
import type { Watch } from '#shared/monitor/watches/watches';
import { unknownProduct } from '#shared/monitor/checks/unknown-product';
import { noAnswer, type FetchOutcome } from '../waiting-room/fetch/fetch-outcome';
import { notSeen } from '../waiting-room/judge-page';
import type { CheckerContext } from './checker-context';
import { chooseScrappey, fetchInTime, judgeInTime, type CheckLimits } from './fetch-and-judge';
import { platformAddress, variantIn } from './platform-json';

/** The result of a check, ready to be stored. */
export interface Seen {
  outcome: FetchOutcome;
  judgement: Judgement;
  /** See `FinishedCheck`. */
  pageIdentity: PageIdentity | null;
  isPage: boolean;
}

/** Where a platform's JSON is read, the page itself is read this often, so that a change of either is noticed. */
const READ_PAGE_EVERY_MS = 30 * MINUTE;

/** Whether the check reads the page itself. */
function readsPage({ fetch_as, page_read_at }: Watch, now: number): boolean {
  if (fetch_as === 'page' || page_read_at === null) return true;
  const readAt = fromIso(page_read_at);
  return !isPast(readAt, now) || now - readAt >= READ_PAGE_EVERY_MS;
}

/** The result of a check whose page must not be requested. */
function notRequested(pageUrl: string, reason: string): Seen {
  return {
    outcome: {
      answer: noAnswer(pageUrl),
      responseTimeMs: 0,
      scrappeyStatus: 'disabled',
      scrappeyRequestId: null,
      scrappeyCalls: 0,
      proxyUsed: null,
      errorMessage: null,
      backOffMs: null,
    },
    judgement: { ...notSeen(reason), product: unknownProduct('robots', reason) },
    pageIdentity: null,
    isPage: false,
  };
}

/** The host's answer, for its pause. */
function answerOf({ answer }: FetchOutcome, { unknownReason, product }: Judgement, now: number): HostAnswer {
  const { status, headers } = answer;
  const reasons: readonly (string | null | undefined)[] = [unknownReason, product?.unknownReason];
  const isRefused =
    status === 403 || status === 429 || reasons.includes('challenge') || reasons.includes('blocked');
  return {
    kind: isRefused ? 'refusal' : status >= 200 && status < 400 ? 'page' : 'nothing',
    askedPauseMs: status >= 400 ? readAskedPauseMs({ headers }, now) : 0,
  };
}

/** The page's result, weakened where the platform's JSON last differed: the JSON decides at the next check. */
function besideJson(product: ProductJudgement, { last_availability }: Watch): ProductJudgement {
  const { availability } = product;
  if (availability === 'unknown' || last_availability === null) return product;
  if (isBuyable(availability) === isBuyable(last_availability)) return product;
  const says = isBuyable(last_availability) ? 'in stock' : 'not in stock';
  return {
    ...product,
    strength: 'weak',
    reason: `${product.reason} The page contradicts the JSON of its platform, which last said ${says}.`,
  };
}

/** Reads what a product watch knows of its product, for the judge of its page. */
async function readExpectedProduct(db: Database, watch: Watch): Promise<ExpectedProduct> {
  const product = await db
    .selectFrom('products')
    .select(['title', 'gtin'])
    .where('id', '=', watch.product_id)
    .executeTakeFirstOrThrow();
  return { ...product, variantKey: watch.variant_key };
}

/**
 * Fetches and judges the page of a product, through the paid service if the watch says so, or the JSON of its platform,
 * unless robots.txt forbids it without a stated permission. A page that has not changed keeps its judgement. Tells the visit what the host answered.
 */
export async function seeProduct(
  context: CheckerContext,
  {
    watch,
    settings,
    pageUrl,
    visit,
    limits,
    begunAt,
    signal,
  }: {
    watch: Watch;
    settings: MonitorSettings;
    pageUrl: string;
    visit: Visit;
    limits: CheckLimits;
    /** On the clock of `performance`. */
    begunAt: number;
    signal: AbortSignal;
  },
): Promise<Seen> {
  const { db, clock, knownPages } = context;
  const isPage = readsPage(watch, clock.now());
  const targetUrl = isPage ? pageUrl : (platformAddress(pageUrl, watch.fetch_as) ?? pageUrl);
  const refusal = watch.robots_permission === null ? visit.robotsRefusal(targetUrl) : null;
  if (refusal !== null) return notRequested(pageUrl, refusal);
  // The identity of the last answer is that of the JSON where JSON is read.
  const isIdentified = watch.fetch_as === 'page' || !isPage;
  const conditions = isIdentified ? knownPages.conditionsOf(watch) : {};
  // A paid fetch of each product would cost far more than those of waiting rooms. JSON needs no browser.
  const scrappey = watch.paid_fetch === 1 && isPage ? await chooseScrappey(context, settings) : null;
  const publicOnly = watch.url !== null;
  const request = { targetUrl, publicOnly, scrappey, conditions, onRequest: visit.onRequest, signal };
  const outcome = await fetchInTime(context, request, limits);
  signal.throwIfAborted();
  const known = isIdentified
    ? await knownPages.recognise(db, watch, { answer: outcome.answer, conditions })
    : null;
  const judgement = known ?? (await judge());
  visit.note(answerOf(outcome, judgement, clock.now()));
  return {
    outcome,
    judgement,
    pageIdentity: isIdentified ? knownPages.identify(watch, outcome.answer, known !== null) : null,
    isPage,
  };

  async function judge(): Promise<Judgement> {
    const expected = await readExpectedProduct(db, watch);
    const variantKey = expected.variantKey ?? (isPage ? null : variantIn(pageUrl));
    const limitMs = Math.max(0, begunAt + limits.judgedMs - performance.now());
    const judged = await judgeInTime(context, {
      watch,
      outcome,
      product: { ...expected, variantKey },
      limitMs,
    });
    if (watch.fetch_as === 'page' || !isPage || judged.product === undefined) return judged;
    return { ...judged, product: besideJson(judged.product, watch) };
  }
}
