import { z } from 'zod';
import { listOpenTimes } from '#shared/alerts/list-alerts';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { toIso } from '#shared/clock';
import {
  DEFAULT_MONITORING_HOURS,
  describeHours,
  isWithinHours,
  parseMonitoringHours,
} from '#shared/monitor/monitoring-hours';
import { monitorOperations } from '#shared/monitor/monitor-operations';
import { requireWatch } from '#shared/monitor/watches/watches';
import { listDescribedWatches, type DescribedWatch } from '#shared/monitor/watches/describe-watch';
import { watchListAddress } from '~/components/monitor/monitor-addresses';
import {
  summariseWatches,
  type ListedWatch,
  type WatchListData,
} from '~/components/monitor/watches/listed-watch';
import { WATCH_FAILED } from '~/components/monitor/watch-texts';
import { requireAdmin } from '~/http/auth/session.server';
import { operationForm, pageForms, textField } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { pageNumberOf } from '~/components/ui/page-links';

/** With more rows the page is too large for a phone. */
const WATCHES_PER_PAGE = 40;

function toListed(watch: DescribedWatch, alertOpenedAt: string | null, now: number): ListedWatch {
  const { slug, shop, title, url, timeZone, intervalSeconds, running, state, lastCheck, nextCheck } = watch;
  const hours = parseMonitoringHours(watch.hours) ?? DEFAULT_MONITORING_HOURS;
  return {
    slug,
    shop,
    title,
    url,
    timeZone,
    intervalSeconds,
    running,
    state,
    lastCheck,
    nextCheck,
    hoursInWords: describeHours(hours),
    withinHours: isWithinHours(now, hours, timeZone),
    alertOpenedAt,
    permanent: watch.id === DEFAULT_WATCH_ID,
  };
}

/** The page of watches of `?page=`; the last one for a number past it. */
export async function readWatchList(request: Request): Promise<WatchListData> {
  const { db, clock, config } = serverContext();
  const now = clock.now();
  const [described, alerts] = await Promise.all([
    listDescribedWatches({ db, clock, targetUrl: config.monitor.targetUrl }),
    listOpenTimes(db),
  ]);
  const watches = described
    .filter(({ kind }) => kind === 'waiting_room')
    .map((watch) => toListed(watch, alerts.get(watch.id) ?? null, now))
    .sort(
      (a, b) =>
        Number(b.alertOpenedAt !== null) - Number(a.alertOpenedAt !== null) ||
        a.title.localeCompare(b.title, 'en'),
    );
  const totalPages = Math.max(1, Math.ceil(watches.length / WATCHES_PER_PAGE));
  const page = Math.min(pageNumberOf(request), totalPages);
  return {
    watches: watches.slice((page - 1) * WATCHES_PER_PAGE, page * WATCHES_PER_PAGE),
    summary: summariseWatches(watches),
    page,
    totalPages,
    now: toIso(now),
  };
}

const rowFields = z.object({ slug: textField });

const OF_ROW = {
  schema: rowFields,
  input: async ({ slug }: z.output<typeof rowFields>) => ({
    watchId: (await requireWatch(serverContext().db, slug)).id,
  }),
  subject: async ({ slug }: z.output<typeof rowFields>) =>
    (await requireWatch(serverContext().db, slug)).title,
};

/** The forms of the list's rows. */
export const watchListForms = pageForms(
  {
    path: ({ request }) => watchListAddress(pageNumberOf(request)),
    access: requireAdmin,
    failed: WATCH_FAILED,
  },
  {
    start: operationForm(monitorOperations.start, OF_ROW),
    stop: operationForm(monitorOperations.stop, OF_ROW),
  },
);
