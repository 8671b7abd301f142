import { HttpRefusal } from '../server/failures.server';

/** The sentence of the refusal. */
export const CROSS_ORIGIN_MESSAGE = 'This request did not come from our own pages, so it was refused.';

/** Methods that change nothing (RFC 9110, section 9.2.1). Their origin is not checked. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Whether a method may change something. */
export function isWrite(method: string): boolean {
  return !SAFE_METHODS.has(method);
}

interface OriginHeaders {
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
