import type { IncomingMessage, ServerResponse } from 'node:http';
import { cookieToken } from '../../cookies/session-cookie.server';
import { HttpRefusal } from '../failures.server';

const CROSS_ORIGIN_MESSAGE = 'This request did not come from our own pages, so it was refused.';

/** Methods that change nothing (RFC 9110, section 9.2.1). Their origin is not checked. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

function isWrite(method: string): boolean {
  return !SAFE_METHODS.has(method);
}

export interface OriginHeaders {
  origin: string | null;
  secFetchSite: string | null;
}

/**
 * Classifies the origin of a request by the headers that its browser sent: one of our pages (`same`), another site
 * (`cross`), or neither header is present (`missing`). No page can forge these headers (Fetch standard, "Origin header";
 * Fetch Metadata, section 2.4). A page with the policy `no-referrer` sends the origin `null`; Sec-Fetch-Site then decides.
 * `cross-site` takes precedence over Origin. `appOrigin` is the origin of APP_URL.
 */
export function checkOrigin(
  { origin, secFetchSite }: OriginHeaders,
  appOrigin: string,
): 'same' | 'cross' | 'missing' {
  if (secFetchSite === 'cross-site') return 'cross';
  if (origin === appOrigin || secFetchSite === 'same-origin') return 'same';
  return origin === null && secFetchSite === null ? 'missing' : 'cross';
}

/** For API writes that only the session cookie authenticates. Throws a 403 refusal unless one of our pages sent it. */
export function requireSameOrigin(request: Request, appOrigin: string): void {
  if (isWrite(request.method)) requireOwnPage(request, appOrigin);
}

/**
 * For any request that changes something and that only the session cookie authenticates, a GET too: another site's page
 * can send one by a link. Throws a 403 refusal unless one of our pages sent it, or a person who typed its address (Fetch
 * Metadata, section 2.4, "none").
 */
export function requireOwnPage(request: Request, appOrigin: string): void {
  const headers = originHeadersOf(request);
  const isTyped = !isWrite(request.method) && headers.secFetchSite === 'none';
  if (!isTyped && checkOrigin(headers, appOrigin) !== 'same') throw crossOrigin();
}

/** For API writes with the cookie of a pending sign-in. Throws a 403 refusal if the page of another site sent it. */
export function refuseCrossOrigin(request: Request, appOrigin: string): void {
  if (checkOrigin(originHeadersOf(request), appOrigin) === 'cross') throw crossOrigin();
}

function originHeadersOf({ headers }: Request): OriginHeaders {
  return { origin: headers.get('Origin'), secFetchSite: headers.get('Sec-Fetch-Site') };
}

function crossOrigin(): HttpRefusal {
  return new HttpRefusal({ status: 403, code: 'cross_origin', message: CROSS_ORIGIN_MESSAGE });
}

/**
 * Whether a request may change something: by its method, or because its path ends in `.data`. Remix runs the action of
 * such a path for every method except GET (@remix-run/server-runtime, `singleFetchAction`).
 */
function isPageWrite(url: string, method: string): boolean {
  return isWrite(method) || (method !== 'GET' && /\.data(\?|$)/.test(url));
}

function firstOf(value: string | string[] | undefined): string | null {
  return Array.isArray(value) ? (value[0] ?? null) : (value ?? null);
}

/**
 * Whether a raw request passes the CSRF check. A write to a page fails if another site sent it, or if it has a session
 * cookie but no Origin or Sec-Fetch-Site. API calls always pass here: they run `requireSameOrigin` themselves, because a
 * bearer token needs no such check. `method` is the method that the client sent. Call it after `normaliseRequest`.
 *
 * Sets Origin and Host of a write from our pages to the values of APP_URL. Remix compares the two
 * (@remix-run/server-runtime, `throwIfPotentialCSRFAttack`), and behind a proxy, or on a page without referrer, they
 * differ.
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

/** The response to a write that does not pass. */
export function rejectCrossOrigin(response: ServerResponse): void {
  response.statusCode = 403;
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.end(`${CROSS_ORIGIN_MESSAGE}\n`);
}
