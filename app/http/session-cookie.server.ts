import { DAY, SECOND } from '#shared/clock';
import { readCookies } from './request-cookies.server';

/** The cookie that holds a browser's session token. */
export const SESSION_COOKIE = 'packwatch_session';

/** The longest a browser keeps any cookie (RFC 6265bis, section 5.5). How long the session lasts is the server's word. */
const KEPT_SECONDS = (400 * DAY) / SECOND;

/** Base64url of 32 bytes is 43 characters; what is far from that is no token of ours. */
const TOKEN = /^[\w-]{20,128}$/;

/** The session token among a request's cookies, or null. */
export function cookieToken(cookieHeader: string | null): string | null {
  const value = readCookies(cookieHeader).get(SESSION_COOKIE) ?? '';
  return TOKEN.test(value) ? value : null;
}

/** The token of an `Authorization: Bearer` header (RFC 6750, section 2.1), or null. */
export function bearerToken(authorizationHeader: string | null): string | null {
  const token = /^bearer +(\S+) *$/i.exec(authorizationHeader ?? '')?.[1];
  return token !== undefined && TOKEN.test(token) ? token : null;
}

/** The Set-Cookie value that keeps (or, with null, ends) a session in the browser. `secure`: the site is https. */
export function sessionCookie(token: string | null, { secure }: { secure: boolean }): string {
  const age = token === null ? 0 : KEPT_SECONDS;
  const attributes = `Max-Age=${age}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return `${SESSION_COOKIE}=${token ?? ''}; ${attributes}`;
}
