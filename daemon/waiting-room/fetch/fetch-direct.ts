import { request, type Dispatcher } from 'undici';
import { BROWSER_HEADERS } from '#shared/network/browser-headers';
import { explainFetchFailure } from '#shared/network/explain-fetch-failure';
import type { Hop, PageAnswer } from '#shared/monitor/checks/verdict';
import { decodeText, readBody } from './decode-body';
import { noAnswer } from './fetch-outcome';
import { normaliseHeaders } from './response-headers';
import { parseAddress } from './web-address';

const MAX_HOPS = 10;

export interface DirectFetch {
  answer: PageAnswer;
  errorMessage: string | null;
}

/**
 * Fetches a page as a browser would, follows redirects and records them. A network failure gives status 0 and a message.
 * Rejects only when `signal` aborts.
 */
export async function fetchDirect(options: {
  targetUrl: string;
  dispatcher: Dispatcher;
  /** For redirects to other hosts. */
  elsewhere: Dispatcher;
  signal: AbortSignal;
  maxBodyBytes: number;
}): Promise<DirectFetch> {
  const { targetUrl, signal } = options;
  const hops: Hop[] = [];
  const jar = createCookieJar();
  const visited = new Set<string>();
  let url = parseAddress(targetUrl);
  if (url === null) return { answer: noAnswer(targetUrl), errorMessage: `No address to fetch: ${targetUrl}` };
  const home = url.hostname;
  try {
    for (;;) {
      const cookies = jar.cookiesFor(url);
      visited.add(`${url.href} ${cookies ?? ''}`);
      const isAtHome = url.hostname === home;
      const page = await fetchOnce(url, cookies, {
        ...options,
        dispatcher: isAtHome ? options.dispatcher : options.elsewhere,
      });
      jar.keep(url, page.headers['set-cookie']);
      const answer = toAnswer(targetUrl, url, page, hops);
      const next = redirectTarget(page, url);
      if (next === null) return { answer, errorMessage: page.note };
      if (hops.length === MAX_HOPS) {
        return { answer, errorMessage: `The shop redirected more than ${MAX_HOPS} times.` };
      }
      if (visited.has(`${next.href} ${jar.cookiesFor(next) ?? ''}`)) {
        return { answer, errorMessage: 'The shop redirects in a circle.' };
      }
      const { status, headers } = page;
      hops.push({ url: url.href, status, location: next.href, headers });
      url = next;
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return {
      answer: { ...noAnswer(targetUrl), finalUrl: url.href, hops },
      errorMessage: explainFetchFailure(error, url),
    };
  }
}

/** The cookies of one fetch: later hops send them back to the host that set them. */
interface CookieJar {
  keep(url: URL, setCookie: string | string[] | undefined): void;
  /** The value of the cookie header for a URL, or null. */
  cookiesFor(url: URL): string | null;
}

function createCookieJar(): CookieJar {
  const hosts = new Map<string, Map<string, string>>();
  return {
    keep(url, setCookie) {
      const cookies = hosts.get(url.host) ?? new Map<string, string>();
      hosts.set(url.host, cookies);
      for (const line of [setCookie ?? []].flat()) {
        const match = /^\s*([^\s=;]+)=([^;]*)/.exec(line);
        if (match?.[1] === undefined) continue;
        if (/max-age\s*=\s*(?:0|-\d+)\s*(?:;|$)/i.test(line)) cookies.delete(match[1]);
        else cookies.set(match[1], match[2] ?? '');
      }
    },
    cookiesFor(url) {
      const cookies = hosts.get(url.host);
      if (cookies === undefined || cookies.size === 0) return null;
      return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    },
  };
}

interface FetchedPage {
  status: number;
  headers: Record<string, string | string[]>;
  text: string;
  decodable: boolean;
  note: string | null;
}

async function fetchOnce(
  url: URL,
  cookies: string | null,
  options: { dispatcher: Dispatcher; signal: AbortSignal; maxBodyBytes: number },
): Promise<FetchedPage> {
  const { dispatcher, signal, maxBodyBytes } = options;
  const response = await request(url, {
    dispatcher,
    signal,
    method: 'GET',
    headers: cookies === null ? BROWSER_HEADERS : { ...BROWSER_HEADERS, cookie: cookies },
  });
  const headers = normaliseHeaders(response.headers);
  const single = (name: string): string => [headers[name] ?? ''].flat()[0] ?? '';
  const body = await readBody(response.body, single('content-encoding'), maxBodyBytes);
  response.body.on('error', () => undefined).destroy();
  if (!body.intact) {
    const note = 'The page came in a compression that cannot be read.';
    return { status: response.statusCode, headers, text: '', decodable: false, note };
  }
  const { text, decodable } = decodeText(body.bytes, single('content-type'));
  const note = body.cut ? `Only the first ${maxBodyBytes} bytes of the page were read.` : null;
  return { status: response.statusCode, headers, text, decodable, note };
}

function toAnswer(requestUrl: string, url: URL, page: FetchedPage, hops: readonly Hop[]): PageAnswer {
  return {
    requestUrl,
    finalUrl: url.href,
    status: page.status,
    headers: page.headers,
    body: page.text,
    decodable: page.decodable,
    hops: [...hops],
    doubted: false,
  };
}

function redirectTarget(page: FetchedPage, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(page.status)) return null;
  const location = [page.headers['location'] ?? ''].flat()[0] ?? '';
  const target = location === '' ? null : parseAddress(location, from.href);
  return target !== null && /^https?:$/.test(target.protocol) ? target : null;
}
