import type { IncomingMessage } from 'node:http';
import { ORIGINAL_METHOD_HEADER } from './normalise-request.server';
import { isWrite, judgeOrigin } from './same-origin.server';
import { cookieToken } from '../cookies/session-cookie.server';

/** Where a refused write is led to: the route that says so. */
export const FOREIGN_WRITE_PATH = '/refused';

function single(value: string | string[] | undefined): string | null {
  return Array.isArray(value) ? (value[0] ?? null) : (value ?? null);
}

/**
 * Whether a request may change something: by its own method, before `tidyRequest` made one of it that Remix routes; and
 * with a `.data` path by every method but GET, which Remix takes for an action (@remix-run/server-runtime,
 * `singleFetchAction`).
 */
function isPageWrite({
  method = 'GET',
  url = '/',
  headers,
}: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean {
  if (isWrite(single(headers[ORIGINAL_METHOD_HEADER]) ?? method)) return true;
  return method !== 'GET' && /\.data(\?|$)/.test(url);
}

/**
 * Leads a page's write that another site sent, or that has a session cookie and no word about where it comes from, to
 * the route that refuses it. One of ours is given the names that Remix compares (@remix-run/server-runtime,
 * `throwIfPotentialCSRFAttack`), which behind a proxy or on a page without referrer differ although all is well.
 * The API judges its writes itself: a bearer token needs no such proof. `app` is APP_URL. Runs after `tidyRequest`.
 */
export function refuseForeignWrite(
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  app: Pick<URL, 'origin' | 'host' | 'protocol'>,
): void {
  const { headers } = request;
  if (!isPageWrite(request) || /^\/+api(\/|\?|$)/i.test(request.url ?? '/')) return;
  const verdict = judgeOrigin(
    { origin: headers.origin ?? null, secFetchSite: single(headers['sec-fetch-site']) },
    app.origin,
  );
  if (
    verdict === 'cross' ||
    (verdict === 'unsaid' &&
      cookieToken(headers.cookie ?? null, { secure: app.protocol === 'https:' }) !== null)
  ) {
    request.url = FOREIGN_WRITE_PATH;
    // The route refuses what reaches its action.
    request.method = 'POST';
    delete headers.origin;
  } else if (verdict === 'same') {
    headers.origin = app.origin;
    headers.host = app.host;
  }
}
