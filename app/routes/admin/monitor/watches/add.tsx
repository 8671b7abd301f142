import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { AdminSection } from '~/components/admin/admin-section';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { MONITOR_PATH } from '~/components/monitor/monitor-addresses';
import { WatchForm } from '~/components/monitor/watches/watch-form';
import { WATCH_PAGE_FAILED } from '~/components/monitor/watch-texts';
import { titled } from '~/components/site/page-title';
import { requireAdmin } from '~/http/auth/session.server';
import { addForms, EMPTY_WATCH } from '~/routes/admin/monitor/watches/watch-pages.server';

const HEADING = 'Add a watch';

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  return { values: EMPTY_WATCH };
}

export const action = addForms.action;

export const clientAction = keepFormOnNetworkError(WATCH_PAGE_FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction = () => titled(HEADING);

export default function AddWatch() {
  const { values } = useLoaderData<typeof loader>();
  return (
    <AdminSection
      heading={HEADING}
      intro="A watch checks one page of a shop and sends its own alerts. A new one is stopped until you start it."
    >
      <WatchForm intent="add" values={values} leaveTo={MONITOR_PATH} />
    </AdminSection>
  );
}
