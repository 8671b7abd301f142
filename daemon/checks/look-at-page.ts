import { describeDuration, fromIso, MINUTE, SECOND } from '#shared/clock';
import { findHost, hostOf, leastSpacingMs, type Host } from '#shared/monitor/hosts/host-turns';
import type { Visit } from '#shared/monitor/hosts/host-visits';
import { productOf } from '#shared/monitor/checks/recording/decide-offer';
import { findPreview, finishPreview, type PreviewResult } from '#shared/monitor/products/previews';
import { unknownProduct } from '#shared/monitor/checks/unknown-product';
import { NOTHING_EXPECTED } from '../judging/product/judge-product';
import type { CheckerContext } from './checker-context';
import { fetchInTime, limitsOf } from './fetch-and-judge';
import { findPageFacts } from './page-facts';
import { findPlatform, type PlatformFinding } from './platform-json';

/** An admin waits for the page: less than a check takes at most. */
const PAGE_LIMIT_MS = 20 * SECOND;
/** For both platforms, with the spacing of the host before each. */
const PLATFORM_LIMIT_MS = 15 * SECOND;

const UNSEEN = {
  finalUrl: '',
  status: 0,
  responseTimeMs: 0,
  bodyLength: 0,
  error: null,
  imageUrl: null,
  brand: null,
  platform: null,
};

/**
 * Fetches and judges the page of a preview as a check does, in a turn of its host, and the JSON of the shop's platform if
 * there is one; stores what it saw in the preview alone. A fault of the shop is part of the result. Throws when `signal`
 * aborts. A preview that has expired, or is finished, is left as it is.
 */
export async function lookAtPage(
  context: CheckerContext,
  { previewId, signal }: { previewId: string; signal: AbortSignal },
): Promise<void> {
  const { db, clock, hostVisits } = context;
  const preview = await findPreview(db, previewId, clock.now());
  if (preview === null || preview.result !== null) return;
  const { url } = preview;
  const seen = await hostVisits.visit({ pageUrl: url, ignoresPause: true, signal }, (visit) =>
    lookWithin(context, { url, visit, signal }),
  );
  const result = seen ?? unseen(url, busyWords(await findHost(db, hostOf(url)), clock.now()));
  await finishPreview(db, { id: previewId, now: clock.now(), result });
}

const unseen = (url: string, error: string): PreviewResult => ({
  ...UNSEEN,
  product: unknownProduct('error', error),
  finalUrl: url,
  error,
  robots: null,
});

/** Why a page was not requested in time: the shop wants long pauses, or its other pages are being checked. */
function busyWords(host: Host | null, now: number): string {
  const least = leastSpacingMs(host);
  const waitMs = host?.next_request_at == null ? 0 : fromIso(host.next_request_at) - now;
  if (least < MINUTE || waitMs <= 0)
    return 'Other checks of this shop take its turns. Look at the page again later.';
  return `The robots.txt of this shop asks for long pauses: we send one request in ${describeDuration(least)}. Look at the page again in ${describeDuration(waitMs)}.`;
}

async function lookWithin(
  context: CheckerContext,
  { url, visit, signal }: { url: string; visit: Visit; signal: AbortSignal },
): Promise<PreviewResult> {
  const robots = visit.robotsRefusal(url);
  if (robots !== null) return { ...UNSEEN, product: unknownProduct('robots', robots), finalUrl: url, robots };
  const limits = limitsOf(PAGE_LIMIT_MS);
  const { onRequest } = visit;
  const request = { targetUrl: url, publicOnly: true, scrappey: null, onRequest, signal };
  const outcome = await fetchInTime(context, request, limits);
  signal.throwIfAborted();
  const page = await context.judge(
    { ...outcome, product: NOTHING_EXPECTED },
    { limitMs: limits.judgedMs - limits.fetchMs },
  );
  const { finalUrl, status, body } = outcome.answer;
  const product = productOf(page);
  const isRead = product.availability !== 'unknown';
  const found = isRead ? await platformOf(context, { url, page, visit, signal }) : null;
  return {
    product,
    finalUrl,
    status,
    responseTimeMs: Math.round(outcome.responseTimeMs),
    bodyLength: body.length,
    error: outcome.errorMessage,
    robots,
    ...(isRead ? findPageFacts(outcome.answer) : { imageUrl: null, brand: null }),
    platform:
      found === null ? null : { fetchAs: found.fetchAs, agrees: found.agrees, reason: found.product.reason },
  };
}

/** The JSON of the shop's platform; null when there is none, or it does not come in time. */
async function platformOf(
  { fetcher, judge }: CheckerContext,
  {
    url: pageUrl,
    page,
    visit,
    signal,
  }: { url: string; page: Parameters<typeof findPlatform>[1]['page']; visit: Visit; signal: AbortSignal },
): Promise<PlatformFinding | null> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(PLATFORM_LIMIT_MS)]);
  try {
    return await findPlatform(
      { fetcher, judge, visit },
      { pageUrl, page, expected: NOTHING_EXPECTED, signal: inTime },
    );
  } catch (error) {
    signal.throwIfAborted();
    if (inTime.aborted) return null;
    throw error;
  }
}
