import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { AdminSection } from '~/components/admin/admin-section';
import { headingOf } from '~/components/admin/sections';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { MONITOR_PATH } from '~/components/monitor/monitor-addresses';
import { WATCH_FAILED } from '~/components/monitor/watch-texts';
import { WatchScreen, watchTitle } from '~/components/monitor/screen/watch-screen';
import { WatchList } from '~/components/monitor/watches/watch-list';
import { titled } from '~/components/site/page-title';
import { requireAdmin } from '~/http/auth/session.server';
import { watchForms } from '~/routes/admin/monitor/watch-forms.server';
import { findOnlyWatch, readWatchScreen } from '~/routes/admin/monitor/watch-page.server';
import { readWatchList, watchListForms } from '~/routes/admin/monitor/watches/watch-list.server';

/** The heading of the list of several watches. */
const LIST_HEADING = 'Watches';

/** The screen of the only watch, or the list of the watches. */
export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const watch = await findOnlyWatch();
  if (watch !== null) return { screen: await readWatchScreen(request, watch, MONITOR_PATH), list: null };
  return { screen: null, list: await readWatchList(request) };
}

export async function action(args: ActionFunctionArgs) {
  await requireAdmin(args.request);
  const forms = (await findOnlyWatch()) === null ? watchListForms : watchForms;
  return forms.action(args);
}

export const clientAction = keepFormOnNetworkError(WATCH_FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  titled(data?.screen ? watchTitle(data.screen.watch) : data ? LIST_HEADING : headingOf(MONITOR_PATH));

export default function Monitor() {
  const { screen, list } = useLoaderData<typeof loader>();
  if (screen !== null) return <WatchScreen key={screen.watch.slug} screen={screen} />;
  return (
    <AdminSection
      heading={LIST_HEADING}
      intro="Each watch checks one page of a shop and sends its own alerts."
    >
      <WatchList list={list} />
    </AdminSection>
  );
}
