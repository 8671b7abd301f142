import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { AdminSection } from '~/components/admin/admin-section';
import { headingOf } from '~/components/admin/sections';
import { MonitorPanel, MONITOR_FAILED } from '~/components/dashboard/monitor-panel';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { RecentActivity } from '~/components/monitor/recent-activity';
import { useLiveMonitor } from '~/components/monitor/use-live-monitor';
import { readLiveMonitor } from '~/http/site/site-state.server';
import { loadOptional } from '~/http/server/failures.server';
import { monitorForms } from '~/routes/admin/monitor.server';
import { readRecentActivity } from '~/routes/admin/recent-activity.server';
import { requireAdmin } from '~/http/auth/session.server';

const PATH = '/dashboard/monitor';
const HEADING = headingOf(PATH);

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const [live, activity] = await Promise.all([
    readLiveMonitor(),
    loadOptional(() => readRecentActivity(request)),
  ]);
  return { live, activity };
}

export const action = monitorForms(PATH).action;

export const clientAction = keepFormOnNetworkError(MONITOR_FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction = () => [{ title: `${HEADING} · ${PRODUCT_NAME}` }];

export default function Monitor() {
  const loaded = useLoaderData<typeof loader>();
  const live = useLiveMonitor(loaded.live);
  return (
    <AdminSection heading={HEADING} intro="What the shop shows right now, and the controls of the monitor.">
      <MonitorPanel live={live} />
      <div className="mt-5">
        <RecentActivity activity={loaded.activity} path={PATH} />
      </div>
    </AdminSection>
  );
}
