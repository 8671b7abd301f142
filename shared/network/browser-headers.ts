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

/** Chrome asks for these alone where a proxy may stand between (net/url_request/url_request_http_job.cc). */
const PLAIN_HTTP_ENCODINGS = 'gzip, deflate';

/** The headers of a request for a page, with the value of the Cookie header if there is one. */
export function browserHeaders(url: URL, cookies: string | null = null): Record<string, string> {
  return {
    ...BROWSER_HEADERS,
    ...(url.protocol === 'http:' ? { 'accept-encoding': PLAIN_HTTP_ENCODINGS } : {}),
    ...(cookies === null ? {} : { cookie: cookies }),
  };
}
