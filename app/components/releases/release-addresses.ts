/** The list of all releases, for admins. */
export const RELEASES_PATH = '/dashboard/releases';

/** A page of the list. */
export const releaseListAddress = (page: number): string =>
  page === 1 ? RELEASES_PATH : `${RELEASES_PATH}?page=${page}`;

/** The screen of a release. */
export const releaseAddress = (id: string): string => `${RELEASES_PATH}/${encodeURIComponent(id)}`;

/** The page that asks before a release is deleted. */
export const deleteReleaseAddress = (id: string): string => `${releaseAddress(id)}/delete`;
