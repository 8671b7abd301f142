import { useNavigation } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { PLATFORMS, PLATFORM_FILES, type Platform } from '#shared/releases/release';
import { ReleaseNotes } from '~/components/releases/release-notes';
import { useSiteFacts } from '~/components/site/site-facts';
import { Badge } from '~/components/ui/badge';
import { buttonClass, LINK_BUTTON_CLASS } from '~/components/ui/button';
import { Spinner } from '~/components/ui/icons';
import { LoadFailed } from '~/components/ui/notice';
import { Disclosure } from './disclosure';
import { DownloadLink } from './download-link';
import { useShowsDownload } from './transfer/download-state';
import { DownloadStatus } from './download-status';
import { INFORMATION_FAILED } from './download-texts';
import { FileFacts } from './file-facts';
import { notAvailable, type Downloads, type ReleaseView } from './downloads-view';
import { useDevice } from './use-device';
import { EarlierVersions, VersionLine } from './version-list';

/** In place of release information that could not be read. `page`: the path of the page. */
export function DownloadsFailed({ page }: { page: string }) {
  const { state, location } = useNavigation();
  if (state !== 'idle' && location.pathname === page)
    return (
      <p role="status" className="flex items-center gap-2.5 text-soft">
        <Spinner /> Loading release information…
      </p>
    );
  return <LoadFailed retryPath={page}>{INFORMATION_FAILED}</LoadFailed>;
}

interface DownloadCardProps {
  /** Null: it could not be read. */
  downloads: Downloads | null;
  page: string;
  /** The member's plan does not let the app check out. */
  needsPro: boolean;
}

/** The content of the card of the desktop app: a download for this computer, and every other file. */
export function DownloadCard({ downloads, page, needsPro }: DownloadCardProps) {
  useShowsDownload();
  if (downloads === null) return <DownloadsFailed page={page} />;
  const { latest, earlier } = downloads;
  if (latest === null)
    return (
      <>
        <p className="text-soft">
          For Windows, macOS and Linux. There is nothing to download yet; when there is, you get it here.
        </p>
        <p className="mt-auto pt-1">
          <Badge variant="planned">Comes later</Badge>
        </p>
      </>
    );
  const hasHistory = latest.notesHtml !== '' || earlier.length > 0;
  return (
    <div className={`grid gap-x-10 gap-y-5 ${hasHistory ? 'lg:grid-cols-2' : ''}`}>
      <div className="grid min-w-0 content-start gap-4">
        <LatestVersion release={latest} downloads={downloads} />
        {needsPro ? <p className="text-small text-soft">To check out with the app, you need Pro.</p> : null}
      </div>
      {hasHistory ? <History downloads={downloads} latest={latest} /> : null}
    </div>
  );
}

interface HistoryProps {
  downloads: Downloads;
  latest: ReleaseView;
}

function History({ downloads: { earlier, hidden }, latest: { version, notesHtml } }: HistoryProps) {
  return (
    <div className="grid min-w-0 content-start gap-4 max-lg:border-t max-lg:border-line max-lg:pt-4">
      {notesHtml === '' ? null : (
        <Disclosure
          summary={<h3 className="min-w-0 text-base wrap-anywhere">What is new in {version}</h3>}
          open={earlier.length === 0}
        >
          <div className="pt-2">
            <ReleaseNotes html={notesHtml} />
          </div>
        </Disclosure>
      )}
      <EarlierVersions releases={earlier} hidden={hidden} />
    </div>
  );
}

function LatestVersion({ release, downloads }: { release: ReleaseView; downloads: Downloads }) {
  const device = useDevice(downloads.device);
  const others = PLATFORMS.filter((platform) => platform !== device);
  const file = device === 'handheld' ? undefined : release.files[device];
  return (
    <div className="grid gap-3">
      <VersionLine release={release} />
      {device === 'handheld' ? <ForComputers /> : null}
      {device !== 'handheld' && file === undefined ? (
        <Missing platform={device} earlier={downloads.earlier} />
      ) : null}
      {file === undefined ? null : (
        <div className="flex flex-wrap items-start gap-x-5 gap-y-2">
          <DownloadLink file={file} place="card" className={buttonClass('primary')} />
          <FileFacts file={file} />
        </div>
      )}
      <DownloadStatus place="card" />
      <OtherPlatforms
        release={release}
        platforms={others}
        title={device === 'handheld' ? 'The files for computers' : 'For another computer'}
      />
    </div>
  );
}

/** Says that the latest version has no file for this computer, and links the newest version that has one. */
function Missing({ platform, earlier }: { platform: Platform; earlier: readonly ReleaseView[] }) {
  const file = earlier.find(({ files }) => files[platform] !== undefined)?.files[platform];
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-soft">{notAvailable(platform)}</p>
      {file === undefined ? null : (
        <>
          <DownloadLink file={file} place="card" className={buttonClass()}>
            Download {file.version} for {PLATFORM_FILES[platform].label}
          </DownloadLink>
          <FileFacts file={file} />
        </>
      )}
    </div>
  );
}

/** Tells users of a phone or a tablet where the app runs. */
function ForComputers() {
  const { appUrl } = useSiteFacts();
  return (
    <p>
      {PRODUCT_NAME}’s desktop app is for a computer with Windows, macOS or Linux. Open{' '}
      <span className="font-semibold wrap-anywhere">{appUrl.replace(/^https?:\/\//, '')}/dashboard</span>{' '}
      there to download it.
    </p>
  );
}

interface OtherPlatformsProps {
  release: ReleaseView;
  platforms: readonly Platform[];
  title: string;
}

function OtherPlatforms({ release, platforms, title }: OtherPlatformsProps) {
  return (
    <section aria-label={title} className="border-t border-line pt-3">
      <h3 className="text-base">{title}</h3>
      <ul className="mt-1 grid gap-x-5 gap-y-3 sm:grid-cols-2">
        {platforms.map((platform) => {
          const file = release.files[platform];
          return (
            <li key={platform} className="min-w-0">
              {file === undefined ? (
                <span className="flex min-h-8 items-center text-soft">{notAvailable(platform)}</span>
              ) : (
                <>
                  <DownloadLink file={file} place="card" className={LINK_BUTTON_CLASS}>
                    {PLATFORM_FILES[platform].label}
                  </DownloadLink>
                  <FileFacts file={file} />
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
