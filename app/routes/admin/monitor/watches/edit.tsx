import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { AdminSection } from '~/components/admin/admin-section';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { watchAddress } from '~/components/monitor/monitor-addresses';
import { WatchForm } from '~/components/monitor/watches/watch-form';
import { WATCH_PAGE_FAILED } from '~/components/monitor/watch-texts';
import { titled } from '~/components/site/page-title';
import { requireAdmin } from '~/http/auth/session.server';
import { watchOrRedirect } from '~/routes/admin/monitor/watch-page.server';
import { editForms, readValues } from '~/routes/admin/monitor/watches/watch-pages.server';

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const watch = await watchOrRedirect(params.slug);
  return { slug: watch.slug, title: watch.title, values: await readValues(watch) };
}

export const action = editForms.action;

export const clientAction = keepFormOnNetworkError(WATCH_PAGE_FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction<typeof loader> = ({ data }) => titled(`Edit ${data?.title ?? 'watch'}`);

export default function EditWatch() {
  const { slug, title, values } = useLoaderData<typeof loader>();
  return (
    <AdminSection
      heading={`Edit ${title}`}
      intro="A new address ends the open alert of the old page. Its webhooks are on the screen of the watch."
    >
      <WatchForm key={slug} intent="edit" values={values} leaveTo={watchAddress(slug)} />
    </AdminSection>
  );
}
