import { request } from 'undici';
import { SECOND } from '../../clock';
import { DomainError } from '../../errors';
import { BROWSER_HEADERS } from '../../network/browser-headers';
import { errorCode, explainFetchFailure } from '../../network/explain-fetch-failure';
import type { PublicWeb } from '../../network/public-web.server';

const TIMEOUT_MS = 10 * SECOND;
const MAX_HOPS = 5;
/** In canonical form, where a letter outside ASCII counts as several: Discord refuses a message with a longer link. */
const MAX_LENGTH = 2_000;

function refusal(code: string, message: string): DomainError {
  return new DomainError('Invalid', { code, message, fieldErrors: { url: [message] } });
}

/**
 * Whether a status shows that the page exists. A challenge or a block is an answer as well (403, 429), and waiting
 * rooms are served with 503; every other server error may come from a proxy that knows no such shop.
 */
function isAnswer(status: number): boolean {
  return status < 500 || status === 503;
}

/**
 * Checks the address of a page to watch: public http(s), and it answers now. Follows redirects without cookies, each to
 * a public address. Returns the address in canonical form, without a fragment. Throws `Invalid` (`address_not_public`,
 * `address_unknown`, `address_unreachable`, `address_too_long`) with a sentence for the field `url`.
 */
export async function requireWatchablePage(web: PublicWeb, text: string): Promise<string> {
  const entered = await web.requirePublicUrl(text);
  entered.hash = '';
  if (entered.href.length > MAX_LENGTH)
    throw refusal(
      'address_too_long',
      `Please use at most ${MAX_LENGTH} characters; a letter outside a to z counts as several.`,
    );
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let url = entered;
  for (let hop = 0; hop <= MAX_HOPS; hop += 1) {
    const { status, location } = await readHead(web, url, signal);
    if (!isAnswer(status))
      throw refusal(
        'address_unreachable',
        `${url.host} answers with the error ${status}. Check the address, or try again later.`,
      );
    const isRedirect = status >= 300 && status < 400 && location !== null;
    // A page that redirects without end does answer: it may want cookies.
    if (!isRedirect || !URL.canParse(location, url.href)) break;
    const next = new URL(location, url.href);
    if (!/^https?:$/.test(next.protocol)) break;
    url = next;
  }
  return entered.href;
}

async function readHead(
  web: PublicWeb,
  url: URL,
  signal: AbortSignal,
): Promise<{ status: number; location: string | null }> {
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: web.dispatcher,
      signal,
      headers: BROWSER_HEADERS,
    });
    body.on('error', () => undefined).destroy();
    return { status: statusCode, location: [headers.location ?? []].flat()[0] ?? null };
  } catch (error) {
    if (signal.aborted)
      throw refusal(
        'address_unreachable',
        `${url.host} did not answer within ${TIMEOUT_MS / SECOND} seconds. Check the address, or try again later.`,
      );
    if (errorCode(error) === 'ADDRESS_NOT_PUBLIC')
      throw refusal(
        'address_not_public',
        `The page redirects to ${url.host}, which is not on the public internet. Enter the address of a public page.`,
      );
    throw refusal(
      'address_unreachable',
      `${explainFetchFailure(error, url)} Check the address, or try again later.`,
    );
  }
}
