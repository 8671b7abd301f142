import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { AdminSection, SectionBody } from '~/components/admin/admin-section';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { CreateRelease } from '~/components/releases/release-form';
import { RELEASES_PATH } from '~/components/releases/release-addresses';
import { ReleaseList } from '~/components/releases/release-list';
import { LIST_FAILED, RELEASE_FAILED } from '~/components/releases/release-texts';
import { titled } from '~/components/site/page-title';
import { requireAdmin } from '~/http/auth/session.server';
import { loadOptional } from '~/http/server/failures.server';
import { createForms } from '~/routes/admin/releases/release-forms.server';
import { readReleaseList } from '~/routes/admin/releases/releases.server';

const HEADING = 'Releases';

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  return { list: await loadOptional(() => readReleaseList(request)) };
}

export const action = createForms.action;

export const clientAction = keepFormOnNetworkError(RELEASE_FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction = () => titled(HEADING);

export default function Releases() {
  const { list } = useLoaderData<typeof loader>();
  const { result } = useForms(['delete']);
  return (
    <AdminSection
      heading={HEADING}
      intro="The versions of the desktop app: their files, and which of them members can download."
    >
      <SectionBody
        loaded={list}
        retryPath={RELEASES_PATH}
        failed={LIST_FAILED}
        typedForm={({ intent }) => (intent === 'create' ? <CreateRelease /> : null)}
      >
        {(loaded) => (
          <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <div className="grid gap-4">
              <FormNotice result={result} />
              <ReleaseList {...loaded} />
            </div>
            <CreateRelease />
          </div>
        )}
      </SectionBody>
    </AdminSection>
  );
}
