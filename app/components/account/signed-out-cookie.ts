import { parse } from 'cookie';

/** Set by a sign-out without scripts, which cannot clear local storage. The next page with scripts clears it. */
export const SIGNED_OUT_COOKIE = 'signed-out';

/** Whether the cookie is set. `cookies` is `document.cookie`. */
export function hasSignedOutMarker(cookies: string): boolean {
  return parse(cookies)[SIGNED_OUT_COOKIE] === '1';
}
