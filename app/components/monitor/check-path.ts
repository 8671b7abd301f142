/** Returns the path of the page of one check. `slug`: its watch. */
export function checkPath(slug: string, checkId: string): string {
  return `/dashboard/monitor/${slug}/checks/${checkId}`;
}
