import { redirect } from '@remix-run/node';
import { toIso } from '#shared/clock';
import { DomainError } from '#shared/errors';
import { listChecks, type MonitorCheck } from '#shared/monitor/checks/reading/checks';
import { readDayChart } from '#shared/monitor/day-chart/read-day-chart';
import type { Watch } from '#shared/monitor/watches/watches';
import { flagsSchema } from '#shared/monitor/checks/check-flags';
import { storedAnalysisSchema, type Judgement } from '#shared/monitor/checks/verdict';
import {
  ACTIVITY_HOURS,
  type ActivityEntry,
  type RecentActivityPage,
} from '~/components/monitor/recent-activity';
import type { WatchHistory } from '~/components/monitor/watch-history';
import { serverContext } from '~/http/server/context.server';

const CHECKS_PER_PAGE = 25;

/** What a check of a product saw, without its evidence. */
function offerOf(judged: Judgement | undefined): ActivityEntry['offer'] {
  if (judged?.product === undefined) return null;
  const { availability, detail, unknownReason } = judged.product;
  return { availability, detail, unknownReason };
}

function toEntry(check: MonitorCheck): ActivityEntry {
  const flags = flagsSchema.safeParse(check.content_analysis).data;
  const judged = storedAnalysisSchema.safeParse(check.content_analysis).data;
  return {
    id: check.id,
    at: check.check_timestamp,
    verdict: judged?.verdict ?? (check.queue_detected ? 'waiting_room' : 'unknown'),
    offer: offerOf(judged),
    reason:
      check.error_message ??
      (judged === undefined
        ? 'The check was stored without a readable judgement.'
        : [judged.product?.reason ?? judged.reason, judged.held ?? []].flat().join(' ')),
    httpStatus: check.http_status_code,
    responseMs: check.response_time_ms,
    alertSent: check.alert_sent,
    slow: flags?.slow ?? false,
    short: flags?.short ?? false,
  };
}

/** The checks before `?before=`; redirects to the first page when that check is gone. `path`: the screen's address. */
async function readRecentActivity(request: Request, watch: Watch, path: string): Promise<RecentActivityPage> {
  const { db, clock } = serverContext();
  const { searchParams } = new URL(request.url);
  const before = searchParams.get('before') ?? undefined;
  try {
    const { checks, next } = await listChecks(db, {
      hours: ACTIVITY_HOURS,
      limit: CHECKS_PER_PAGE,
      before,
      clock,
      watchId: watch.id,
    });
    return {
      slug: watch.slug,
      entries: checks.map(toEntry),
      older: next === null ? null : `${path}?before=${encodeURIComponent(next)}`,
      isFirst: before === undefined,
      now: toIso(clock.now()),
    };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unknown_check') throw redirect(path);
    throw error;
  }
}

/** The last day's checks. `request`: of the screen, or of its JSON with the same query; `path`: the screen's address. */
export async function readHistory(request: Request, watch: Watch, path: string): Promise<WatchHistory> {
  const { db, clock } = serverContext();
  const [chart, activity] = await Promise.all([
    // The chart is of waiting rooms.
    watch.kind === 'product' ? null : readDayChart(db, { clock, watchId: watch.id }),
    readRecentActivity(request, watch, path),
  ]);
  return { slug: watch.slug, chart, activity, now: toIso(clock.now()) };
}
