import { serialize } from 'cookie';
import { DAY, SECOND } from '#shared/clock';
import { readCookies, hasSecureCookies } from './cookies.server';

/**
 * The name of the session cookie on https. Because of the prefix, browsers accept it only from this host over https, not
 * from a sister domain or over http (RFC 6265bis, section 4.1.3.2).
 */
export const SESSION_COOKIE = '__Host-packwatch_session';

/** The name on http, for example in development: browsers reject the prefix there. */
export const PLAIN_SESSION_COOKIE = 'packwatch_session';

interface CookieSite {
  /** The site is https. */
  secure: boolean;
}

/** The name of the session cookie. */
export function sessionCookieName({ secure }: CookieSite): string {
  return secure ? SESSION_COOKIE : PLAIN_SESSION_COOKIE;
}

/** The longest a browser keeps any cookie (RFC 6265bis, section 5.5). The server decides how long the session lasts. */
const COOKIE_LIFETIME_SECONDS = (400 * DAY) / SECOND;

/** Our tokens are 32 bytes in base64url, 43 characters. The pattern leaves room for other lengths. */
const TOKEN = /^[\w-]{20,128}$/;

/** The session token among a request's cookies, or null. Under https the plain name is ignored. */
export function cookieToken(
  cookieHeader: string | null,
  site: CookieSite = { secure: hasSecureCookies() },
): string | null {
  const value = readCookies(cookieHeader).get(sessionCookieName(site)) ?? '';
  return TOKEN.test(value) ? value : null;
}

/** The token of an `Authorization: Bearer` header (RFC 6750, section 2.1), or null. */
export function bearerToken(authorizationHeader: string | null): string | null {
  const token = /^bearer +(\S+) *$/i.exec(authorizationHeader ?? '')?.[1];
  return token !== undefined && TOKEN.test(token) ? token : null;
}

/** The Set-Cookie value that stores a session token in the browser; with null, the value that deletes it. */
export function sessionCookie(token: string | null, { secure }: CookieSite): string {
  return serialize(sessionCookieName({ secure }), token ?? '', {
    maxAge: token === null ? 0 : COOKIE_LIFETIME_SECONDS,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
  });
}
