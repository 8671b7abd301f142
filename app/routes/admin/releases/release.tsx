import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { useState } from 'react';
import { PLATFORMS } from '#shared/releases/release';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import type { HistoryEntry } from '~/components/releases/history-text';
import { PlatformFile } from '~/components/releases/platform-file';
import { Publishing } from '~/components/releases/publishing';
import { deleteReleaseAddress, RELEASES_PATH } from '~/components/releases/release-addresses';
import { ReleaseBadges } from '~/components/releases/release-badges';
import { ReleaseForm } from '~/components/releases/release-form';
import { RELEASE_FAILED } from '~/components/releases/release-texts';
import { useReleaseUploads } from '~/components/releases/upload/use-release-uploads';
import { useLeaveWarning } from '~/components/forms/use-leave-warning';
import { titled } from '~/components/site/page-title';
import { DateAndMinute } from '~/components/time/dates';
import { Button, LINK_BUTTON_CLASS } from '~/components/ui/button';
import { ConfirmDialog } from '~/components/ui/dialogs';
import { Panel } from '~/components/ui/card';
import { requireAdmin } from '~/http/auth/session.server';
import { releaseForms } from '~/routes/admin/releases/release-forms.server';
import { readReleaseScreen } from '~/routes/admin/releases/releases.server';

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdmin(request);
  return readReleaseScreen(params.id);
}

export const action = releaseForms.action;

export const clientAction = keepFormOnNetworkError(RELEASE_FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  titled(`Version ${data?.release.version ?? ''}`);

export default function ReleasePage() {
  const { release } = useLoaderData<typeof loader>();
  // Another release has other uploads.
  return <ReleaseScreen key={release.id} />;
}

/** Who did what to a release, the newest entry first. */
function ReleaseHistory({ entries }: { entries: readonly HistoryEntry[] }) {
  return (
    <ol className="divide-y divide-line">
      {entries.map(({ id, actor, description, createdAt }) => (
        <li key={id} className="grid gap-0.5 py-2.5 first:pt-0 last:pb-0">
          <p className="[overflow-wrap:anywhere]">
            <strong className="font-semibold">{actor ?? 'A deleted account'}</strong> {description}
          </p>
          <p className="text-small text-soft">
            <DateAndMinute iso={createdAt} />
          </p>
        </li>
      ))}
    </ol>
  );
}

function ReleaseScreen() {
  const { release, downloads, uploads: listed, history } = useLoaderData<typeof loader>();
  const uploads = useReleaseUploads(release.version);
  const [changed, setChanged] = useState(false);
  const leaving = useLeaveWarning(changed || uploads.busy);
  const { result } = useForms(['create']);
  return (
    <>
      <p>
        <Link to={RELEASES_PATH} className={LINK_BUTTON_CLASS}>
          ← All releases
        </Link>
      </p>
      <div className="mt-2 mb-6 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-heading [overflow-wrap:anywhere]">Version {release.version}</h1>
        <ReleaseBadges release={release} />
      </div>
      <div className="grid gap-5">
        <FormNotice result={result} />
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <div className="grid min-w-0 gap-5">
            <Panel title="Files">
              <ul className="divide-y divide-line">
                {PLATFORMS.map((platform) => (
                  <PlatformFile
                    key={platform}
                    platform={platform}
                    file={release.files[platform]}
                    downloads={downloads[platform] ?? 0}
                    published={release.published}
                    listed={listed.find((upload) => upload.platform === platform)}
                    uploads={uploads}
                  />
                ))}
              </ul>
            </Panel>
            <ReleaseForm release={release} onChanged={setChanged} />
          </div>
          <div className="grid min-w-0 gap-5">
            <Publishing release={release} />
            <Panel title="History">
              {history === null ? (
                <p className="text-soft">The history could not be loaded.</p>
              ) : (
                <ReleaseHistory entries={history} />
              )}
            </Panel>
            <p>
              <Link to={deleteReleaseAddress(release.id)} className={LINK_BUTTON_CLASS}>
                Delete this release…
              </Link>
            </p>
          </div>
        </div>
      </div>
      {leaving === null ? null : (
        <ConfirmDialog
          title={uploads.busy ? 'Leave while a file is uploading?' : 'Leave without saving?'}
          onClose={leaving.stay}
        >
          <p className="text-soft">
            {uploads.busy
              ? 'The upload pauses. To continue it, come back within a day and choose the same file.'
              : 'Your changes to the version, the notes or the beta flag will be lost.'}
          </p>
          <p className="flex flex-wrap gap-2.5">
            <Button type="button" variant="primary" onClick={leaving.stay}>
              Stay
            </Button>
            <Button type="button" onClick={leaving.leave}>
              Leave
            </Button>
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
