/** The result of a fetch through the service. */
export interface FetchedPage {
  statusCode: number;
  currentUrl: string;
  /** Every address of the redirect chain, the first and the last included. */
  visited: string[];
  responseHeaders: Record<string, string>;
  cookies: { name: string; value: string; domain: string; path: string }[];
  body: string;
  requestHeaders: Record<string, string>;
}

const MAX_REDIRECTS = 20;
const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/**
 * Fetches a page as a browser's first request does: follows redirects and sends cookies back to the host that set them.
 * @throws the errors of `fetch`: network errors, or the signal's reason
 */
export async function fetchPage(
  address: string,
  customHeaders: Record<string, string>,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const requestHeaders = {
    'user-agent': USER_AGENT,
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-language': 'en-GB,en;q=0.9',
    ...customHeaders,
  };
  const cookies: FetchedPage['cookies'] = [];
  const visited: string[] = [];
  let url = new URL(address);

  for (;;) {
    visited.push(url.href);
    const host = url.hostname;
    const own = cookies.filter((cookie) => cookie.domain === host);
    const cookie = own.map(({ name, value }) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      signal,
      headers: cookie ? { ...requestHeaders, cookie } : requestHeaders,
    });
    for (const line of response.headers.getSetCookie()) remember(cookies, line, host);

    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && location) {
      await response.body?.cancel();
      if (visited.length > MAX_REDIRECTS) throw new Error('net::ERR_TOO_MANY_REDIRECTS');
      url = new URL(location, url);
      continue;
    }
    return {
      statusCode: response.status,
      currentUrl: url.href,
      visited,
      responseHeaders: toRecord(response.headers),
      cookies,
      body: await response.text(),
      requestHeaders,
    };
  }
}

function remember(cookies: FetchedPage['cookies'], line: string, domain: string): void {
  const pair = line.split(';')[0] ?? '';
  const equals = pair.indexOf('=');
  if (equals < 1) return;
  const name = pair.slice(0, equals).trim();
  const value = pair.slice(equals + 1).trim();
  const known = cookies.find((cookie) => cookie.name === name && cookie.domain === domain);
  if (known) known.value = value;
  else cookies.push({ name, value, domain, path: '/' });
}

/** Joins repeated headers with a line break, as browser automation tools report them. */
function toRecord(headers: Headers): Record<string, string> {
  const record = new Map<string, string>();
  headers.forEach((value, name) => {
    const before = record.get(name);
    record.set(name, before === undefined ? value : `${before}\n${value}`);
  });
  return Object.fromEntries(record);
}
