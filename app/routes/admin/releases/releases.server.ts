import { redirect } from '@remix-run/node';
import { listAudit } from '#shared/audit/list-audit';
import { DomainError } from '#shared/errors';
import { readDownloadCounts } from '#shared/releases/downloads';
import { listReleases, requireRelease } from '#shared/releases/list-releases';
import type { Release } from '#shared/releases/release';
import { listReleaseUploads } from '#shared/releases/release-uploads';
import { describeReleaseAction, type HistoryEntry } from '~/components/releases/history-text';
import { RELEASES_PATH } from '~/components/releases/release-addresses';
import type { ListedRelease } from '~/components/releases/release-list';
import type { ListedUpload } from '~/components/releases/upload/running-uploads';
import { serverContext } from '~/http/server/context.server';
import { loadOptional } from '~/http/server/failures.server';
import { pageNumberOf } from '~/components/ui/page-links';

const RELEASES_PER_PAGE = 20;
/** Entries of a release's history. */
const HISTORY_LENGTH = 100;

/** The page of releases of `?page=`, the newest version first; the last page for a number past it. */
export async function readReleaseList(
  request: Request,
): Promise<{ releases: ListedRelease[]; page: number; totalPages: number }> {
  const { db } = serverContext();
  const [all, counts] = await Promise.all([
    listReleases(db, { publishedOnly: false }),
    readDownloadCounts(db),
  ]);
  const totalPages = Math.max(1, Math.ceil(all.length / RELEASES_PER_PAGE));
  const page = Math.min(pageNumberOf(request), totalPages);
  const shown = all.slice((page - 1) * RELEASES_PER_PAGE, page * RELEASES_PER_PAGE);
  return {
    releases: shown.map(({ releaseNotes: _, releaseNotesHtml: _html, ...release }) => ({
      release,
      downloads: counts.get(release.id) ?? {},
    })),
    page,
    totalPages,
  };
}

/** The release of `:id`. Redirects to the list for an unknown one. */
export async function releaseOrRedirect(id: string | undefined): Promise<Release> {
  try {
    return await requireRelease(serverContext().db, id ?? '');
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'NotFound') throw redirect(RELEASES_PATH);
    throw error;
  }
}

async function listUploads({ version }: Release): Promise<ListedUpload[]> {
  const uploads = await listReleaseUploads(serverContext().db, { version });
  return uploads.map(({ id, kind, platform, username, originalName, fileSize, createdAt, receivedAt }) => ({
    id,
    kind,
    platform,
    originalName,
    fileSize,
    by: username,
    createdAt,
    receivedAt,
  }));
}

async function readReleaseHistory({ id }: Release): Promise<HistoryEntry[]> {
  const records = await listAudit(serverContext().db, { subject: id, limit: HISTORY_LENGTH });
  return records.map(({ id, actor, action, details, createdAt }) => ({
    id,
    actor,
    description: describeReleaseAction(action, details),
    createdAt,
  }));
}

/** Everything that the screen of a release shows. */
export async function readReleaseScreen(id: string | undefined) {
  const release = await releaseOrRedirect(id);
  const [counts, uploads, history] = await Promise.all([
    loadOptional(() => readDownloadCounts(serverContext().db)),
    listUploads(release),
    loadOptional(() => readReleaseHistory(release)),
  ]);
  return { release, downloads: counts?.get(release.id) ?? {}, uploads, history };
}
