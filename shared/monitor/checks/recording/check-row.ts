import type { Selectable } from 'kysely';
import { SECOND, toIso } from '../../../clock';
import type { MonitorChecksTable } from '../../../database/tables/monitor/monitor-checks';
import { readRetryAfter } from '../../../network/retry-after';
import { withoutNul } from '../../../text';
import type { HostPace } from '../../product-timing';
import type { Watch } from '../../watches/watches';
import { MAX_ASKED_PAUSE_MS } from '../../hosts/host-turns';
import { flagsOf, type CheckFlags } from '../check-flags';
import type { Judgement, StoredAnalysis } from '../verdict';
import { productOf } from './decide-offer';

/** One finished check, ready to be stored. */
export interface FinishedCheck {
  watchId: string;
  trigger: MonitorChecksTable['trigger'];
  targetUrl: string;
  /** Epoch ms. */
  startedAt: number;
  leaseToken: number;
  judgement: Judgement;
  /** The URLs that redirected on the way to `finalUrl`. */
  redirects: string[];
  /** The fetching service could not verify the page. */
  unverified: boolean;
  finalUrl: string | null;
  /** Null when no page ever came. */
  httpStatus: number | null;
  responseTimeMs: number;
  errorMessage: string | null;
  body: string;
  headers: Record<string, string | string[]>;
  scrappey: {
    status: MonitorChecksTable['scrappey_status'];
    requestId: string | null;
    calls: number;
    proxy: string | null;
  };
  /** The pause that the fetching service requests. */
  backOffMs: number | null;
  /** Of a product watch: what the judged page is known by; null when nothing is known, and for a waiting room. */
  pageIdentity: PageIdentity | null;
  /** Whether the page itself was read, and not the JSON of its platform. */
  isPage: boolean;
  /** The pace of the product watch's host; of no account for a waiting room. */
  pace: HostPace;
}

/** By what a page is known again: its digest, and the shop's own names for it. */
export type PageIdentity = Pick<Watch, 'body_hash' | 'etag' | 'last_modified'>;

/** Removes cookie values, which are our session at the shop, and keeps the names as evidence. */
function withoutCookieValues(headers: Record<string, string | string[]>): Record<string, string | string[]> {
  const bare = (cookie: string): string => cookie.replace(/=[^;]*/, '=…');
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name === 'set-cookie' ? [value].flat().map(bare) : value,
    ]),
  );
}

/** The pause that the shop asked for with `Retry-After`, as of `now` (epoch ms); 0 when it asked for none. */
export function readAskedPauseMs({ headers }: Pick<FinishedCheck, 'headers'>, now: number): number {
  return readRetryAfter(headers['retry-after'], { now, maxMs: MAX_ASKED_PAUSE_MS }) ?? 0;
}

/** Texts of a page or of an error may hold a decoded U+0000: no check fails for it. */
function storable<Text extends string | null>(text: Text): Text {
  return (text === null ? null : withoutNul(text)) as Text;
}

/** The row of a finished check. What judging the stored page again needs, beside the page, is in `content_analysis`. */
export function toRow(
  check: FinishedCheck,
  {
    kind,
    checkId,
    alertId,
    held,
    now,
  }: {
    kind: Watch['kind'];
    checkId: string;
    alertId: string | null;
    /** Why the verdict decides nothing, as a sentence; null when it counts. */
    held: string | null;
    now: number;
  },
): Selectable<MonitorChecksTable> {
  const { judgement } = check;
  const product = kind === 'product' ? productOf(judgement) : null;
  const askedPauseMs = readAskedPauseMs(check, now);
  const analysis: StoredAnalysis & CheckFlags = {
    ...judgement,
    ...(check.redirects.length > 0 ? { redirects: check.redirects } : {}),
    ...(check.unverified ? { unverified: true } : {}),
    ...(held === null ? {} : { held }),
    ...(askedPauseMs === 0 ? {} : { retryAfterSeconds: Math.ceil(askedPauseMs / SECOND) }),
    ...flagsOf({
      responseMs: check.responseTimeMs,
      bodyLength: check.body.length,
      status: check.httpStatus,
    }),
  };
  return {
    id: checkId,
    watch_id: check.watchId,
    trigger: check.trigger,
    started_at: toIso(check.startedAt),
    check_timestamp: toIso(now),
    target_url: check.targetUrl,
    final_url: storable(check.finalUrl),
    verdict: judgement.verdict,
    // A verdict that is held back confirms no weak sign.
    strength: held !== null ? null : product === null ? judgement.strength : product.strength,
    reason: storable([product === null ? judgement.reason : product.reason, held ?? []].flat().join(' ')),
    availability: product?.availability ?? null,
    detail: product?.detail ?? null,
    price_amount: product?.price?.amount ?? null,
    price_currency: product?.price?.currency ?? null,
    queue_detected: judgement.verdict === 'waiting_room' ? 1 : 0,
    error_message: storable(check.errorMessage),
    response_time_ms: Math.max(0, Math.round(check.responseTimeMs)),
    http_status_code: check.httpStatus,
    raw_response_length: check.body.length,
    scrappey_status: check.scrappey.status,
    scrappey_request_id: storable(check.scrappey.requestId),
    scrappey_calls: check.scrappey.calls,
    proxy_used: storable(check.scrappey.proxy),
    content_analysis: JSON.stringify(analysis),
    response_headers: JSON.stringify(withoutCookieValues(check.headers)),
    alert_id: alertId,
    alert_sent: 0,
  };
}
