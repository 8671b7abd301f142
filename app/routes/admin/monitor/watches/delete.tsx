import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { AdminSection } from '~/components/admin/admin-section';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { DeleteForm } from '~/components/forms/confirmations';
import { watchAddress } from '~/components/monitor/monitor-addresses';
import { WATCH_PAGE_FAILED } from '~/components/monitor/watch-texts';
import { titled } from '~/components/site/page-title';
import { requireAdmin } from '~/http/auth/session.server';
import { watchOrRedirect } from '~/routes/admin/monitor/watch-page.server';
import { deleteForms } from '~/routes/admin/monitor/watches/watch-pages.server';

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const { id, slug, title, kind } = await watchOrRedirect(params.slug);
  if (id === DEFAULT_WATCH_ID) throw redirect(watchAddress(slug));
  return { slug, title, kind };
}

export const action = deleteForms.action;

export const clientAction = keepFormOnNetworkError(WATCH_PAGE_FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction<typeof loader> = ({ data }) => titled(`Delete ${data?.title ?? 'watch'}`);

export default function DeleteWatch() {
  const { slug, title, kind } = useLoaderData<typeof loader>();
  return (
    <AdminSection
      heading={`Delete ${title}?`}
      intro={`Its checks stop, its open alert ends, and its webhooks are deleted. ${kind === 'product' ? 'If no other watch sees its product sold, the followers are told. ' : ''}This cannot be undone. To keep it, stop it instead.`}
    >
      <div className="grid gap-4">
        <DeleteForm leaveTo={watchAddress(slug)} label="Delete watch" />
      </div>
    </AdminSection>
  );
}
