import type { IncomingMessage } from 'node:http';
import { HttpRefusal } from './failures.server';
import { cookieToken } from '../cookies/session-cookie.server';

export const CROSS_ORIGIN_MESSAGE = 'This request did not come from our own pages, so it was refused.';

/** Methods that change nothing (RFC 9110, section 9.2.1), and need no proof of origin. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

function isWrite(method: string): boolean {
  return !SAFE_METHODS.has(method);
}

export interface OriginHeaders {
  origin: string | null;
  secFetchSite: string | null;
}

/**
 * The origin of a request by its browser's headers: our own pages (`same`), elsewhere (`cross`), or neither header was
 * sent (`missing`). No page can forge them (Fetch standard, "Origin header"; Fetch Metadata, section 2.4). A page that
 * sends no referrer has the origin `null`, and only Sec-Fetch-Site tells then. `cross-site` counts whatever Origin says.
 * `appOrigin` is APP_URL's.
 */
export function checkOrigin(
  { origin, secFetchSite }: OriginHeaders,
  appOrigin: string,
): 'same' | 'cross' | 'missing' {
  if (secFetchSite === 'cross-site') return 'cross';
  if (origin === appOrigin || secFetchSite === 'same-origin') return 'same';
  return origin === null && secFetchSite === null ? 'missing' : 'cross';
}

/** Refuses (403) a write of the API that is authenticated by the cookie alone, unless one of our pages sent it. */
export function requireSameOrigin(request: Request, appOrigin: string): void {
  if (!isWrite(request.method)) return;
  const headers = {
    origin: request.headers.get('Origin'),
    secFetchSite: request.headers.get('Sec-Fetch-Site'),
  };
  if (checkOrigin(headers, appOrigin) !== 'same')
    throw new HttpRefusal({ status: 403, code: 'cross_origin', message: CROSS_ORIGIN_MESSAGE });
}

/**
 * Whether a request may change something: by its own method, or by a `.data` path with every method but GET, which Remix
 * takes for an action (@remix-run/server-runtime, `singleFetchAction`).
 */
function isPageWrite(url: string, method: string): boolean {
  return isWrite(method) || (method !== 'GET' && /\.data(\?|$)/.test(url));
}

function firstOf(value: string | string[] | undefined): string | null {
  return Array.isArray(value) ? (value[0] ?? null) : (value ?? null);
}

/**
 * Whether a raw request passes: false for a page's write that another site sent, or that has a session cookie but neither
 * an Origin nor a Sec-Fetch-Site header. The API checks its writes itself, since a bearer token needs no such proof.
 * `method` is the one that was sent. For after `normaliseRequest`.
 *
 * A write of ours gets the header values that Remix compares (@remix-run/server-runtime, `throwIfPotentialCSRFAttack`):
 * behind a proxy, or on a page without referrer, they differ although the request is ours.
 */
export function passesCsrfGuard(
  { url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>,
  { method, app }: { method: string; app: Pick<URL, 'origin' | 'host' | 'protocol'> },
): boolean {
  if (!isPageWrite(url, method) || /^\/+api(\/|\?|$)/i.test(url)) return true;
  const origin = checkOrigin(
    { origin: headers.origin ?? null, secFetchSite: firstOf(headers['sec-fetch-site']) },
    app.origin,
  );
  if (origin === 'same') {
    headers.origin = app.origin;
    headers.host = app.host;
  }
  if (origin === 'missing')
    return cookieToken(headers.cookie ?? null, { secure: app.protocol === 'https:' }) === null;
  return origin === 'same';
}
