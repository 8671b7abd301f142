import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkOrigin, CROSS_ORIGIN_MESSAGE, isWrite } from '../auth/same-origin.server';
import { cookieToken } from '../cookies/session-cookie.server';

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
