/**
 * Set by a sign-out that no script accompanied, so that it could not clear local storage: the next page with
 * scripts does it. Readable by scripts, and says nothing else.
 */
export const SIGNED_OUT_COOKIE = 'signed-out';

/** Whether the marker is there. `cookies` is a Cookie header or `document.cookie`. */
export function hasSignedOutMarker(cookies: string): boolean {
  return cookies.split(/;\s*/).includes(`${SIGNED_OUT_COOKIE}=1`);
}
