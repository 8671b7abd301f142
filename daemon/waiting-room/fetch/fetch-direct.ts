import { request, type Dispatcher } from 'undici';
import type { Hop, PageAnswer } from '#shared/monitor/checks/verdict';
import { decodeText, readBody } from './decode-body';
import { noAnswer } from './fetch-outcome';
import { normaliseHeaders } from './response-headers';
import { parseAddress } from './web-address';

const MAX_HOPS = 10;

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
  'accept-encoding': 'gzip, deflate, br',
  'accept-language': 'en-GB,en;q=0.9',
  'cache-control': 'no-cache',
  pragma: 'no-cache',
};

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
  signal: AbortSignal;
  maxBodyBytes: number;
}): Promise<DirectFetch> {
  const { targetUrl, signal } = options;
  const hops: Hop[] = [];
  const jar = createCookieJar();
  const visited = new Set<string>();
  let url = parseAddress(targetUrl);
  if (url === null) return { answer: noAnswer(targetUrl), errorMessage: `No address to fetch: ${targetUrl}` };
  try {
    for (;;) {
      const cookies = jar.cookiesFor(url);
      visited.add(`${url.href} ${cookies ?? ''}`);
      const page = await fetchOnce(url, cookies, options);
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
      errorMessage: explain(error, url),
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

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it cut the connection',
  EPIPE: 'it cut the connection',
  ETIMEDOUT: 'it did not take the connection in time',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no network',
  UND_ERR_SOCKET: 'it cut the connection',
  UND_ERR_CONNECT_TIMEOUT: 'it did not take the connection in time',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its answer was not complete',
  UND_ERR_HEADERS_OVERFLOW: 'its headers are too large',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

/** Describes in a sentence why a host could not be fetched from. */
export function explain(error: unknown, { host }: URL): string {
  const code = errorCode(error);
  const reason =
    code === null
      ? undefined
      : (REASONS[code] ?? (code.startsWith('HPE_') ? 'its answer is no HTTP' : undefined));
  return `${host} could not be fetched: ${reason ?? `an unexpected failure (${code ?? 'unnamed'})`}.`;
}

function errorCode(error: unknown): string | null {
  for (
    let link = error;
    typeof link === 'object' && link !== null;
    link = 'cause' in link ? link.cause : null
  ) {
    if ('code' in link && typeof link.code === 'string') return link.code;
  }
  return null;
}
