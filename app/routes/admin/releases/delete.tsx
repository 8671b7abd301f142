import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { AdminSection } from '~/components/admin/admin-section';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { DeleteForm } from '~/components/forms/confirmations';
import { releaseAddress } from '~/components/releases/release-addresses';
import { RELEASE_FAILED } from '~/components/releases/release-texts';
import { titled } from '~/components/site/page-title';
import { requireAdmin } from '~/http/auth/session.server';
import { deleteForms } from '~/routes/admin/releases/release-forms.server';
import { releaseOrRedirect } from '~/routes/admin/releases/releases.server';

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const { id, version, files, published } = await releaseOrRedirect(params.id);
  return { id, version, published, fileCount: Object.keys(files).length };
}

export const action = deleteForms.action;

export const clientAction = keepFormOnNetworkError(RELEASE_FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  titled(`Delete version ${data?.version ?? ''}`);

function consequences({ fileCount, published }: { fileCount: number; published: boolean }): string {
  const files = fileCount === 1 ? 'its file' : `its ${fileCount} files`;
  const deleted =
    fileCount === 0 ? 'The version and its notes are' : `The version, its notes and ${files} are`;
  return `${deleted} deleted. This cannot be undone.${published ? ' To hide it from members and keep it, withdraw it instead.' : ''}`;
}

export default function DeleteRelease() {
  const { id, version, ...facts } = useLoaderData<typeof loader>();
  return (
    <AdminSection heading={`Delete version ${version}?`} intro={consequences(facts)}>
      <div className="grid gap-4">
        <DeleteForm leaveTo={releaseAddress(id)} label="Delete release" />
      </div>
    </AdminSection>
  );
}
