import { findLatestRelease, listReleases } from '#shared/releases/list-releases';
import type { Release } from '#shared/releases/release';
import { detectDevice } from '~/components/downloads/detect-device';
import { showRelease, type Downloads } from '~/components/downloads/downloads-view';
import { serverContext } from '../../http/server/context.server';
import { loadOptional } from '../../http/server/failures.server';

/** Earlier versions that the card lists unless the address asks for all. */
const LISTED = 3;

/** What the card shows to the sender of a request, who has beta access; null if it cannot be read. */
export function readDownloads(request: Request): Promise<Downloads | null> {
  return loadOptional(async () => {
    const { db } = serverContext();
    const [latest, releases] = await Promise.all([
      findLatestRelease(db),
      listReleases(db, { publishedOnly: true }),
    ]);
    const earlier = releases.filter(({ id, files }) => id !== latest?.id && Object.keys(files).length > 0);
    const listsAll = new URL(request.url).searchParams.get('versions') === 'all';
    const listed = listsAll ? earlier : earlier.slice(0, LISTED);
    return {
      device: detectDevice(request.headers),
      latest: latest && showRelease(latest),
      earlier: listed.map(showRelease),
      hidden: earlier.length - listed.length,
    };
  });
}

/** The same for a widget that lists neither notes nor earlier versions. */
export function readLatestDownload(request: Request): Promise<Downloads | null> {
  return loadOptional(async () => {
    const latest = await findLatestRelease(serverContext().db);
    const withoutNotes = (release: Release) => ({ ...showRelease(release), notesHtml: '' });
    return {
      device: detectDevice(request.headers),
      latest: latest && withoutNotes(latest),
      earlier: [],
      hidden: 0,
    };
  });
}

/** Whether there is an app to download; true if that could not be read. */
export function hasApp(downloads: Downloads | null): boolean {
  return downloads === null || downloads.latest !== null;
}
