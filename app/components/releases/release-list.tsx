import { Link } from '@remix-run/react';
import { PLATFORMS, PLATFORM_FILES, type Platform, type Release } from '#shared/releases/release';
import { Card } from '~/components/ui/card';
import { LongDate } from '~/components/time/dates';
import { PageLinks } from '~/components/ui/page-links';
import { counted } from '#shared/format';
import { FileFacts } from './file-facts';
import { releaseAddress, releaseListAddress } from './release-addresses';
import { ReleaseBadges } from './release-badges';

export interface ListedRelease {
  release: Omit<Release, 'releaseNotes' | 'releaseNotesHtml'>;
  /** How many members downloaded it, by the platform of their first download. */
  downloads: Partial<Record<Platform, number>>;
}

function Row({ listed: { release, downloads } }: { listed: ListedRelease }) {
  const { id, version, publishedAt, createdAt, files } = release;
  const total = Object.values(downloads).reduce((sum, count) => sum + count, 0);
  return (
    <li>
      <Card label={`Version ${version}`}>
        <div className="grid gap-4 p-5 sm:p-6">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <h2 className="text-title [overflow-wrap:anywhere]">
              <Link to={releaseAddress(id)} className="underline underline-offset-4 hover:text-brand">
                {version}
              </Link>
            </h2>
            <ReleaseBadges release={release} />
          </div>
          <p className="text-small text-soft">
            {publishedAt === null ? (
              <>
                Created <LongDate iso={createdAt} />
              </>
            ) : (
              <>
                First published <LongDate iso={publishedAt} />
              </>
            )}
            . Downloaded by {counted(total, 'member')}.
          </p>
          <ul className="grid gap-3">
            {PLATFORMS.map((platform) => (
              <li
                key={platform}
                className="grid gap-x-4 gap-y-1.5 border-t border-line pt-3 sm:grid-cols-[5rem_minmax(0,1fr)]"
              >
                <h3 className="font-sans text-base leading-tight font-semibold">
                  {PLATFORM_FILES[platform].label}
                </h3>
                {files[platform] === undefined ? (
                  <p className="text-small text-soft">No file yet.</p>
                ) : (
                  <FileFacts file={files[platform]} downloads={downloads[platform] ?? 0} />
                )}
              </li>
            ))}
          </ul>
        </div>
      </Card>
    </li>
  );
}

interface ReleaseListProps {
  releases: readonly ListedRelease[];
  page: number;
  totalPages: number;
}

/** A page of the releases, the newest version first. */
export function ReleaseList({ releases, page, totalPages }: ReleaseListProps) {
  if (releases.length === 0)
    return (
      <p className="rounded-pocket border border-dashed border-soft p-8 text-center text-soft">
        No releases yet
      </p>
    );
  return (
    <>
      <ul className="grid gap-4">
        {releases.map((listed) => (
          <Row key={listed.release.id} listed={listed} />
        ))}
      </ul>
      <PageLinks
        label="Pages of the releases"
        page={page}
        totalPages={totalPages}
        addressOf={releaseListAddress}
      />
    </>
  );
}
