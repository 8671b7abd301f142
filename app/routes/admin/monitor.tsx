import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { AdminSection } from '~/components/admin/admin-section';
import { headingOf } from '~/components/admin/sections';
import type { FormOutcome } from '~/components/dashboard/form-outcome';
import { MonitorPanel } from '~/components/dashboard/monitor-panel';
import { revalidateUnlessLost } from '~/components/forms/revalidate-unless-lost';
import { stayWhenLost } from '~/components/forms/stay-when-lost';
import { RecentActivity } from '~/components/monitor/recent-activity';
import { useLiveMonitor } from '~/components/monitor/use-live-monitor';
import { failureOf } from '~/http/failures.server';
import { readLiveMonitor } from '~/http/site/live-monitor.server';
import { loadOrSay } from '~/http/forms/load-optional.server';
import { workMonitorSwitch } from '~/routes/admin/monitor.server';
import { readPageForm, unknownIntent } from '~/http/forms/page-form.server';
import { readRecentActivity } from '~/routes/admin/recent-activity.server';
import { requireAdmin } from '~/http/auth/session.server';

const PATH = '/dashboard/monitor';
const HEADING = headingOf(PATH);

const STATUS_FAILED = 'Failed to update monitoring status';

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const [live, activity] = await Promise.all([
    readLiveMonitor(),
    loadOrSay(request, () => readRecentActivity(request)),
  ]);
  return { live, activity };
}

/** The monitor's switches, told apart by their button. */
export async function action({ request }: ActionFunctionArgs) {
  const viewer = await requireAdmin(request);
  const intent = (await readPageForm(request)).get('intent');
  try {
    const message = await workMonitorSwitch(intent, viewer);
    if (message === null) throw unknownIntent();
    return { ok: true, message } satisfies FormOutcome;
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return { ok: false, message: failure.message } satisfies FormOutcome;
  }
}

export const clientAction = stayWhenLost({
  start: STATUS_FAILED,
  stop: STATUS_FAILED,
  check: 'Failed to trigger check',
});

export const shouldRevalidate = revalidateUnlessLost;

export const meta: MetaFunction = () => [{ title: `${HEADING} · ${PRODUCT_NAME}` }];

export default function Monitor() {
  const loaded = useLoaderData<typeof loader>();
  const live = useLiveMonitor(loaded.live);
  const outcome = useActionData<typeof action>() ?? null;
  return (
    <AdminSection heading={HEADING} intro="What the shop shows right now, and the controls of the monitor.">
      <MonitorPanel live={live} sent={outcome} />
      <div className="mt-5">
        <RecentActivity activity={loaded.activity} path={PATH} />
      </div>
    </AdminSection>
  );
}
