import { SECOND } from '../../clock';
import { DomainError } from '../../errors';
import { errorCode, explainFetchFailure } from '../../network/explain-fetch-failure';
import { visitPage } from '../../network/page/visit-page.server';
import type { PublicWeb } from '../../network/public-web.server';

const TIMEOUT_MS = 10 * SECOND;
/** In canonical form, where a letter outside ASCII counts as several: Discord refuses a message with a longer link. */
const MAX_LENGTH = 2_000;

/** The page of a watch as it is stored. */
export interface WatchablePage {
  /** In canonical form, without a fragment. */
  url: string;
  /** Why the page cannot be read now, as a sentence for an admin; null when it can. */
  fault: string | null;
}

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
 * Checks the address of a page to watch: it must be public http(s), and whether it can be read now is part of the result.
 * Follows redirects, each to a public address. `ask`: makes the request, by default at once. Throws `Invalid`
 * (`address_not_public`, `address_too_long`) with a sentence for the field `url`.
 */
export async function requireWatchablePage(
  web: PublicWeb,
  text: string,
  ask: AskPage = (_url, find) => find(),
): Promise<WatchablePage> {
  const entered = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  let fault: string | null = null;
  try {
    await web.requirePublicUrl(text);
  } catch (error) {
    // A name that is not known is checked again at each connection.
    if (!(error instanceof DomainError) || error.code !== 'address_unknown') throw error;
    fault = error.message;
  }
  if (entered === null) throw new Error('requirePublicUrl refuses what is no address');
  entered.hash = '';
  if (entered.href.length > MAX_LENGTH)
    throw refusal(
      'address_too_long',
      `Please use at most ${MAX_LENGTH} characters; a letter outside a to z counts as several.`,
    );
  fault ??= await ask(entered.href, (onRequest) => findFault(web, entered, onRequest));
  return { url: entered.href, fault };
}

/** Asks for a page by `find`, which says why it cannot be read now, or null. `onRequest`: called when a request is sent. */
export type AskPage = (
  url: string,
  find: (onRequest?: () => void) => Promise<string | null>,
) => Promise<string | null>;

/** Why a page cannot be read now, or null. Throws when it redirects to an address that is not public. */
async function findFault(
  web: PublicWeb,
  entered: URL,
  onRequest: (() => void) | undefined,
): Promise<string | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const { url, result } = await visitPage({
      url: entered,
      clientFor: () => web.pages,
      // The head is enough.
      read: async ({ status }) => ({ page: status, refreshTo: null }),
      onRequest,
      signal,
    });
    if (result.kind === 'page')
      return isAnswer(result.page)
        ? null
        : `${url.host} answers with the error ${result.page}. Check the address, or try again later.`;
    if (errorCode(result.error) === 'ADDRESS_NOT_PUBLIC')
      throw refusal(
        'address_not_public',
        `The page redirects to ${url.host}, which is not on the public internet. Enter the address of a public page.`,
      );
    return `${explainFetchFailure(result.error, url)} Check the address, or try again later.`;
  } catch (error) {
    if (!signal.aborted || error instanceof DomainError) throw error;
    return `${entered.host} did not answer within ${TIMEOUT_MS / SECOND} seconds. Check the address, or try again later.`;
  }
}
