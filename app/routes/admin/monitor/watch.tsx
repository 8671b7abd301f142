import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { headingOf } from '~/components/admin/sections';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { MONITOR_PATH, watchAddress } from '~/components/monitor/monitor-addresses';
import { WATCH_FAILED } from '~/components/monitor/watch-texts';
import { WatchScreen, watchTitle } from '~/components/monitor/screen/watch-screen';
import { titled } from '~/components/site/page-title';
import { requireAdmin } from '~/http/auth/session.server';
import { watchForms } from '~/routes/admin/monitor/watch-forms.server';
import { readWatchScreen, watchOrRedirect } from '~/routes/admin/monitor/watch-page.server';

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const watch = await watchOrRedirect(params.slug);
  return readWatchScreen(request, watch, watchAddress(watch.slug));
}

export const action = watchForms.action;

export const clientAction = keepFormOnNetworkError(WATCH_FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  titled(data === undefined ? headingOf(MONITOR_PATH) : watchTitle(data.watch));

export default function Watch() {
  const screen = useLoaderData<typeof loader>();
  return <WatchScreen key={screen.watch.slug} screen={screen} />;
}
