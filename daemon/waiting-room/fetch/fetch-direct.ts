import { explainFetchFailure } from '#shared/network/explain-fetch-failure';
import type { PageClient } from '#shared/network/page/page-client.server';
import type { PageResponse } from '#shared/network/page/page-response';
import { visitPage } from '#shared/network/page/visit-page.server';
import type { PageAnswer } from '#shared/monitor/checks/verdict';
import { decodeText } from './decode-text';
import { noAnswer } from './fetch-outcome';
import { readBody } from './read-body';
import { headersOfResponse } from './response-headers';
import { parseAddress } from './web-address';
import { emptyPage } from '../parse/parsed-page';
import { parseHtml } from '../parse/parse-html';
import { readRefresh } from '../parse/read-refresh';
import { walkPage } from '../parse/walk-page';

/** In characters. Longer pages have content and are not parsed here. */
const MAX_PAGE = 8 * 1024;
/** The longest text of such a page, such as "Redirecting to …". In characters. */
const MAX_TEXT = 300;
const MAX_SECONDS = 1;
/** What every refresh element contains: its name, or a reference to one of its characters. Parsing would delay the alert. */
const REFRESH_NAME = /refresh|&#/i;

/**
 * The target of an otherwise empty page with an immediate `Refresh` header or element. Null for every other page. `url`:
 * the page's address.
 */
export function instantRefresh(
  { headers, text, decodable }: Pick<PageAnswer, 'headers' | 'decodable'> & { text: string },
  url: string,
): string | null {
  if (!decodable || text.length > MAX_PAGE) return null;
  if (headers['refresh'] === undefined && !REFRESH_NAME.test(text)) return null;
  const page = emptyPage('html');
  walkPage(parseHtml(text), page);
  const header = [headers['refresh'] ?? []].flat()[0];
  const refresh = (header === undefined ? null : readRefresh(header)) ?? page.refreshes[0];
  if (refresh === undefined || refresh.seconds > MAX_SECONDS) return null;
  const shown = page.text.trim() || page.addressedText.trim();
  const isEmpty = shown === '' || (shown.length <= MAX_TEXT && shown.includes('redirect'));
  const runs = page.scripts.length + page.scriptAddresses.length + page.frames.length;
  if (!isEmpty || runs > 0 || page.formAddresses.length > 0) return null;
  // Without an address the page reloads itself, perhaps with a cookie that it has set.
  return URL.parse(refresh.url ?? url, url)?.href ?? null;
}

interface DirectFetch {
  answer: PageAnswer;
  errorMessage: string | null;
}

/**
 * Fetches a page as a browser would, follows redirects and records them. A network failure gives status 0 and a message.
 * Rejects only when `signal` aborts.
 */
export async function fetchDirect({
  targetUrl,
  client,
  elsewhere,
  conditions,
  signal,
  maxBodyBytes,
  onBody,
  onRequest,
}: {
  targetUrl: string;
  client: PageClient;
  /** For redirects to other hosts. */
  elsewhere: PageClient;
  /** Headers of a conditional request. */
  conditions: Record<string, string>;
  signal: AbortSignal;
  maxBodyBytes: number;
  /** Called when the body of a response begins and when it has ended. */
  onBody: (state: 'begun' | 'ended') => void;
  /** Called when a request is sent. */
  onRequest?: (() => void) | undefined;
}): Promise<DirectFetch> {
  const start = parseAddress(targetUrl);
  if (start === null || !/^https?:$/.test(start.protocol))
    return { answer: noAnswer(targetUrl), errorMessage: `No address to fetch: ${targetUrl}` };
  const { url, redirects, result } = await visitPage<FetchedPage>({
    url: start,
    conditions,
    clientFor: ({ hostname }) => (hostname === start.hostname ? client : elsewhere),
    read: async (response, address) => {
      onBody('begun');
      const page = await readPage(response, { signal, maxBodyBytes });
      onBody('ended');
      return { page, refreshTo: instantRefresh(page, address.href) };
    },
    onRequest,
    signal,
  });
  const hops = redirects.map(({ url: from, target, page }) => ({
    url: from.href,
    status: page.status,
    location: target.href,
    headers: page.headers,
  }));
  if (result.kind === 'failed')
    return {
      answer: { ...noAnswer(targetUrl), finalUrl: url.href, hops },
      errorMessage: explainFetchFailure(result.error, url),
    };
  const { status, headers, text, decodable, notes } = result.page;
  const sentences = [...notes, result.note].filter((note) => note !== null);
  return {
    answer: {
      requestUrl: targetUrl,
      finalUrl: url.href,
      status,
      headers,
      body: text,
      decodable,
      hops,
      unverified: false,
    },
    errorMessage: sentences.length === 0 ? null : sentences.join(' '),
  };
}

/** The most characters that may follow a page's last end tag. */
const LONGEST_END = 1000;

interface FetchedPage {
  status: number;
  headers: PageAnswer['headers'];
  text: string;
  decodable: boolean;
  /** Sentences about what is missing. */
  notes: string[];
}

async function readPage(
  response: PageResponse,
  { signal, maxBodyBytes }: { signal: AbortSignal; maxBodyBytes: number },
): Promise<FetchedPage> {
  const { status, body } = response;
  const headers = headersOfResponse(response.headers);
  const listOf = (name: string): string[] => [headers[name] ?? []].flat();
  const { bytes, cut, fault } = await readBody(
    body.chunks,
    listOf('content-encoding').join(','),
    maxBodyBytes,
  );
  const { text, decodable } = decodeText(bytes, listOf('content-type').join(','));
  // A page with its end tag is complete, even if the shop announced another length; caches add a comment.
  if (signal.aborted && !/<\/html\s*>/i.test(text.slice(-LONGEST_END))) signal.throwIfAborted();
  const notes: string[] = [];
  const missing = body.brokenOff() ?? fault;
  if (cut) notes.push(`Only the first ${maxBodyBytes} bytes of the page were read.`);
  else if (missing !== null)
    notes.push(
      text === ''
        ? `The page cannot be read: ${missing}.`
        : `Only the beginning of the page came: ${missing}.`,
    );
  return { status, headers, text, decodable: decodable && !(text === '' && fault !== null), notes };
}
