import { useId } from 'react';
import { ButtonLink, buttonClass } from '~/components/ui/button';
import { DownloadsFailed } from './download-card';
import { DownloadLink } from './download-link';
import { useShowsDownload } from './transfer/download-state';
import { DownloadStatus } from './download-status';
import { FileFacts } from './file-facts';
import { CARD_ID, notAvailable, type Downloads } from './downloads-view';
import { useDevice } from './use-device';
import { VersionLine } from './version-list';

const CARD = `/dashboard#${CARD_ID}`;

/** The download for this computer in one strip. `downloads`: null if it could not be read. */
export function DownloadInline({ downloads, page }: { downloads: Downloads | null; page: string }) {
  const id = useId();
  useShowsDownload();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-3 rounded-pocket border border-line bg-surface px-5 py-4 sm:px-6"
    >
      <h2 id={id} className="text-lead leading-tight">
        Desktop app
      </h2>
      {downloads === null ? <DownloadsFailed page={page} /> : <Strip downloads={downloads} />}
    </section>
  );
}

function Strip({ downloads: { device: detected, latest } }: { downloads: Downloads }) {
  const device = useDevice(detected);
  const file = device === 'handheld' ? undefined : latest?.files[device];
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 gap-1">
          {latest === null ? null : <VersionLine release={latest} />}
          {device === 'handheld' ? (
            <p className="text-soft">It runs on a computer with Windows, macOS or Linux.</p>
          ) : file === undefined ? (
            <p className="text-soft">{notAvailable(device)}</p>
          ) : (
            <FileFacts file={file} />
          )}
        </div>
        <p className="flex flex-wrap gap-2.5">
          {file === undefined ? null : (
            <DownloadLink file={file} place="inline" className={buttonClass('primary')} />
          )}
          {latest === null ? null : <ButtonLink href={CARD}>All files and versions</ButtonLink>}
        </p>
      </div>
      <DownloadStatus place="inline" />
    </>
  );
}
