import { HttpRefusal } from '../failures.server';

/** Methods that change nothing (RFC 9110, section 9.2.1), and need no proof of where they come from. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

export function isWrite(method: string): boolean {
  return !SAFE_METHODS.has(method);
}

export interface OriginHeaders {
  origin: string | null;
  secFetchSite: string | null;
}

/**
 * Where a browser says that a request comes from: our own pages, elsewhere, or (`unsaid`) not a word.
 * No page can forge either header (Fetch standard, "Origin header"; Fetch Metadata, section 2.4), and a page that
 * sends no referrer has the origin `null` while Sec-Fetch-Site still tells. `cross-site` counts whatever Origin says.
 * `appOrigin` is APP_URL's.
 */
export function judgeOrigin(
  { origin, secFetchSite }: OriginHeaders,
  appOrigin: string,
): 'same' | 'cross' | 'unsaid' {
  if (secFetchSite === 'cross-site') return 'cross';
  if (origin === appOrigin || secFetchSite === 'same-origin') return 'same';
  return origin === null && secFetchSite === null ? 'unsaid' : 'cross';
}

export const CROSS_ORIGIN_MESSAGE = 'This request did not come from our own pages, so it was refused.';

export function crossOriginRefusal(): HttpRefusal {
  return new HttpRefusal({ status: 403, code: 'cross_origin', message: CROSS_ORIGIN_MESSAGE });
}

/** Refuses (403) a write whose only proof of identity is the cookie, unless a page of ours sent it. */
export function requireSameOrigin(request: Request, appOrigin: string): void {
  if (!isWrite(request.method)) return;
  const headers = {
    origin: request.headers.get('Origin'),
    secFetchSite: request.headers.get('Sec-Fetch-Site'),
  };
  if (judgeOrigin(headers, appOrigin) !== 'same') throw crossOriginRefusal();
}
