/** The list of all releases, for admins. */
export const RELEASES_PATH = '/dashboard/releases';

/** A page of the list. */
export function releaseListAddress(page: number): string {
  return page === 1 ? RELEASES_PATH : `${RELEASES_PATH}?page=${page}`;
}

/** The screen of a release. */
export function releaseAddress(id: string): string {
  return `${RELEASES_PATH}/${encodeURIComponent(id)}`;
}

/** The page that asks before a release is deleted. */
export function deleteReleaseAddress(id: string): string {
  return `${releaseAddress(id)}/delete`;
}
