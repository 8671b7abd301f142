import { firstCharacters } from '../../text';
import { explainFetchFailure } from '../explain-fetch-failure';
import type { PageClient } from './page-client.server';
import type { PageResponse } from './page-response';
import { valuesOf } from './response-head';
import ipaddr from 'ipaddr.js';
import { Cookie, CookieJar } from 'tough-cookie';

/** Chromium's limits for a site (net/cookies/cookie_monster.h, cookie_options.h). */
const MAX_COOKIES = 180;
const MAX_COOKIE_BYTES = 4096;

/** The cookies of one visit, sent with later requests by the rules of RFC 6265. The newest are kept. */
interface VisitCookies {
  /** Stores the cookies of a response, except those that a browser would refuse. */
  keep(url: URL, setCookie: readonly string[]): void;
  /** The value of the Cookie header for a URL, or null. */
  cookiesFor(url: URL): string | null;
}

export function createVisitCookies(): VisitCookies {
  /** Ports share cookies (RFC 6265, section 8.5), except those of an IP address: these are unrelated services. */
  const jars = new Map<string, CookieJar>();
  const jarOf = ({ hostname, host }: URL): CookieJar => {
    const key = ipaddr.isValid(hostname.replace(/^\[(.*)\]$/, '$1')) ? host : '';
    // The public suffixes are part of the library.
    const jar = jars.get(key) ?? new CookieJar(undefined, { looseMode: true, rejectPublicSuffixes: true });
    jars.set(key, jar);
    return jar;
  };
  /** The cookies that are stored, oldest first. */
  const kept = new Map<string, { jar: CookieJar; cookie: Cookie }>();
  const remember = (jar: CookieJar, cookie: Cookie): void => {
    const { domain, path, key } = cookie;
    const id = JSON.stringify([domain, path, key]);
    kept.delete(id);
    kept.set(id, { jar, cookie });
    const [oldest] = kept;
    if (kept.size <= MAX_COOKIES || oldest === undefined) return;
    kept.delete(oldest[0]);
    const { domain: host, path: folder, key: name } = oldest[1].cookie;
    // The store is in memory: it removes the cookie before it calls back.
    oldest[1].jar.store.removeCookie(host, folder, name, () => undefined);
  };
  return {
    keep(url, setCookie) {
      for (const line of setCookie) {
        if (hasControlCharacter(line)) continue;
        const cookie = Cookie.parse(line, { loose: true });
        if (cookie === undefined || cookie.key.length + cookie.value.length > MAX_COOKIE_BYTES) continue;
        const jar = jarOf(url);
        const stored = jar.setCookieSync(cookie, url.href, { ignoreError: true, http: true });
        if (stored !== undefined) remember(jar, stored);
      }
    },
    cookiesFor(url) {
      const text = jarOf(url).getCookieStringSync(url.href, { http: true });
      return text === '' ? null : text;
    },
  };
}

/** A browser refuses a cookie with a control character other than a tab (RFC 6265bis, section 5.6). */
function hasControlCharacter(line: string): boolean {
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if ((code < 32 && code !== 9) || code === 127) return true;
  }
  return false;
}

/** The headers of a current Chrome on Windows in Britain when a user types a URL. */
const BROWSER_HEADERS = {
  'sec-ch-ua': '"Chromium";v="150", "Google Chrome";v="150", "Not_A Brand";v="24"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Windows"',
  'upgrade-insecure-requests': '1',
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-user': '?1',
  'sec-fetch-dest': 'document',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-GB,en;q=0.9',
  'cache-control': 'no-cache',
  pragma: 'no-cache',
};

/** Chrome accepts only these where a proxy may be in between (net/url_request/url_request_http_job.cc). */
const PLAIN_HTTP_ENCODINGS = 'gzip, deflate';

/** The headers of a request for a page, with the value of the Cookie header if there is one. */
function browserHeaders(
  url: URL,
  cookies: string | null,
  conditions: Record<string, string>,
): Record<string, string> {
  const { 'cache-control': noCache, pragma, ...common } = BROWSER_HEADERS;
  const isConditional = Object.keys(conditions).length > 0;
  return {
    ...common,
    ...(isConditional
      ? { 'cache-control': 'max-age=0', ...conditions }
      : { 'cache-control': noCache, pragma }),
    ...(url.protocol === 'http:' ? { 'accept-encoding': PLAIN_HTTP_ENCODINGS } : {}),
    ...(cookies === null ? {} : { cookie: cookies }),
  };
}

/** Redirects of one visit that are followed, as in Chromium (net/url_request/url_request.h, kMaxRedirects). */
const MAX_REDIRECTS = 20;

/** A response that redirected, and its target. */
interface Redirect<Page> {
  url: URL;
  target: URL;
  page: Page;
}

export interface Visit<Page> {
  /** The address of `page`, or of the request that failed. */
  url: URL;
  redirects: Redirect<Page>[];
  /** `note`: why the visit did not go further, as a sentence. */
  result: { kind: 'page'; page: Page; note: string | null } | { kind: 'failed'; error: unknown };
}

/**
 * Visits a page as a browser does: sends a browser's headers, keeps the cookies of the visit and follows redirects.
 * `clientFor`: the client for an address. `read`: reads a response, fully or in part, and returns the target of an
 * immediate refresh. `onRequest`: called for each request, redirects included. Rejects only when `signal` aborts.
 */
export async function visitPage<Page>({
  url: start,
  conditions = {},
  clientFor,
  read,
  onRequest,
  signal,
}: {
  url: URL;
  /** Headers of a conditional request for `url`, as a browser sends them for a page that it has stored. */
  conditions?: Record<string, string>;
  clientFor: (url: URL) => PageClient;
  read: (response: PageResponse, url: URL) => Promise<{ page: Page; refreshTo: string | null }>;
  onRequest?: (() => void) | undefined;
  signal: AbortSignal;
}): Promise<Visit<Page>> {
  const cookies = createVisitCookies();
  const redirects: Redirect<Page>[] = [];
  const visited = new Set<string>();
  let url = withoutFragment(start);
  let refreshed = false;
  const keyOf = (address: URL): string => `${address.href} ${cookies.cookiesFor(address) ?? ''}`;
  for (;;) {
    visited.add(keyOf(url));
    let page: Page;
    let location: string | null;
    let refreshTo: string | null;
    try {
      const headers = browserHeaders(url, cookies.cookiesFor(url), redirects.length === 0 ? conditions : {});
      const response = await clientFor(url).request({ url, headers, signal, onRequest });
      try {
        cookies.keep(url, valuesOf(response.headers, 'set-cookie'));
        location = locationOf(response);
        ({ page, refreshTo } = await read(response, url));
      } finally {
        // Deferred, so that no alert waits for the connection to close: the alert's request is written in the next turn
        // of the event loop, and the connection closes in the one after that.
        setImmediate(() => setImmediate(response.close));
      }
    } catch (error) {
      signal.throwIfAborted();
      const last = refreshed ? redirects.pop() : undefined;
      if (last === undefined) return { url, redirects, result: { kind: 'failed', error } };
      // A refreshing page is shown until the next one arrives.
      return {
        url: last.url,
        redirects,
        result: { kind: 'page', page: last.page, note: explainFetchFailure(error, url) },
      };
    }
    const next = nextAddress(location ?? refreshTo, url);
    const done = (note: string | null): Visit<Page> => ({
      url,
      redirects,
      result: { kind: 'page', page, note },
    });
    if (next === null || typeof next === 'string') return done(next);
    if (visited.has(keyOf(next))) return done(location === null ? null : 'The shop redirects in a circle.');
    if (redirects.length === MAX_REDIRECTS)
      return done(`The shop redirected more than ${MAX_REDIRECTS} times.`);
    redirects.push({ url, target: next, page });
    refreshed = location === null;
    url = next;
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** The first Location that is not empty, of a redirect; as in Chromium (net/http/http_response_headers.cc, IsRedirect). */
function locationOf({ status, headers }: PageResponse): string | null {
  if (!REDIRECTS.has(status)) return null;
  const location = valuesOf(headers, 'location').find((value) => value !== '');
  return location === undefined ? null : escapeBytes(location);
}

/** Percent-encodes the bytes above 127 as they came, in any character set, as browsers do. */
function escapeBytes(location: string): string {
  return location.replace(
    /[\u0080-\u00ff]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** Where a redirect leads; null without one, a sentence when it cannot be followed. */
function nextAddress(location: string | null, from: URL): URL | string | null {
  if (location === null) return null;
  const target = URL.parse(location, from.href);
  if (target === null) return 'The shop redirects to an address that is invalid, which is not followed.';
  if (!/^https?:$/.test(target.protocol))
    return `The shop redirects to a ${firstCharacters(target.protocol, 20)} address, which is not followed.`;
  return withoutFragment(target);
}

function withoutFragment(url: URL): URL {
  const plain = new URL(url);
  plain.hash = '';
  return plain;
}
