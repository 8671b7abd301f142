import { PLATFORMS, PLATFORM_FILES } from '#shared/releases/release';
import { ReleaseNotes } from '~/components/releases/release-notes';
import { Badge } from '~/components/ui/badge';
import { ButtonLink, LINK_BUTTON_CLASS } from '~/components/ui/button';
import { LongDate } from '~/components/time/dates';
import { Disclosure } from './disclosure';
import { DownloadLink } from './download-link';
import { FileFacts } from './file-facts';
import { EVERY_VERSION, type ReleaseView } from './downloads-view';

/** The version of a release, whether it is a beta, and when it was published. */
export function VersionLine({ release: { version, isBeta, publishedAt } }: { release: ReleaseView }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      <span className="min-w-0 font-semibold wrap-anywhere">Version {version}</span>
      {isBeta ? <Badge>Beta</Badge> : null}
      {publishedAt === null ? null : (
        <span className="text-small text-soft">
          <LongDate iso={publishedAt} />
        </span>
      )}
    </span>
  );
}

/** The versions before the latest one, each with its notes and files. `hidden`: how many more there are. */
export function EarlierVersions({ releases, hidden }: { releases: readonly ReleaseView[]; hidden: number }) {
  if (releases.length === 0) return null;
  return (
    <section aria-labelledby="earlier-versions" className="grid gap-1">
      <h3 id="earlier-versions" className="text-base">
        Earlier versions
      </h3>
      <ul className="divide-y divide-line">
        {releases.map((release) => (
          <li key={release.version} className="py-1.5">
            <Disclosure summary={<VersionLine release={release} />}>
              <div className="grid gap-4 pt-2 pb-3">
                <EarlierNotes html={release.notesHtml} />
                <Files release={release} />
              </div>
            </Disclosure>
          </li>
        ))}
      </ul>
      {hidden === 0 ? null : (
        <p>
          <ButtonLink href={EVERY_VERSION}>Show {hidden} more</ButtonLink>
        </p>
      )}
    </section>
  );
}

function EarlierNotes({ html }: { html: string }) {
  return html === '' ? (
    <p className="text-soft">This version has no release notes.</p>
  ) : (
    <ReleaseNotes html={html} />
  );
}

function Files({ release: { version, files } }: { release: ReleaseView }) {
  const present = PLATFORMS.map((platform) => files[platform]).filter((file) => file !== undefined);
  return (
    <ul className="grid gap-3 sm:grid-cols-3 lg:grid-cols-2">
      {present.map((file) => (
        <li key={file.platform} className="min-w-0">
          <DownloadLink file={file} place="card" className={LINK_BUTTON_CLASS}>
            {version} for {PLATFORM_FILES[file.platform].label}
          </DownloadLink>
          <FileFacts file={file} />
        </li>
      ))}
    </ul>
  );
}
