import { SECOND } from '#shared/clock';
import { productOf } from '#shared/monitor/checks/recording/rule-offer';
import { findPreview, finishPreview } from '#shared/monitor/products/previews';
import { NOTHING_EXPECTED } from '../judging/product/judge-product';
import type { CheckerContext } from './checker-context';
import { fetchInTime, limitsOf } from './fetch-and-judge';

/** An admin waits for the page: less than a check takes at most. */
const PREVIEW_LIMIT_MS = 20 * SECOND;

/**
 * Fetches and judges the page of a preview as a check does, and stores what it saw in the preview alone. A fault of the shop
 * is part of the result. Throws when `signal` aborts. A preview that has expired, or is finished, is left as it is.
 */
export async function lookAtPage(
  context: CheckerContext,
  { previewId, signal }: { previewId: string; signal: AbortSignal },
): Promise<void> {
  const { db, clock, judge } = context;
  const preview = await findPreview(db, previewId, clock.now());
  if (preview === null || preview.result !== null) return;
  const limits = limitsOf(PREVIEW_LIMIT_MS);
  const request = { targetUrl: preview.url, publicOnly: true, scrappey: null, signal };
  const outcome = await fetchInTime(context, request, limits);
  signal.throwIfAborted();
  const judgement = await judge(
    { ...outcome, product: NOTHING_EXPECTED },
    { limitMs: limits.judgedMs - limits.fetchMs },
  );
  const { finalUrl, status, body } = outcome.answer;
  await finishPreview(db, {
    id: previewId,
    now: clock.now(),
    result: {
      product: productOf(judgement),
      finalUrl,
      status,
      responseTimeMs: Math.round(outcome.responseTimeMs),
      bodyLength: body.length,
      error: outcome.errorMessage,
    },
  });
}
