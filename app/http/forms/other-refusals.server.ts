import { OTHER_REFUSALS, type FormResult } from '#shared/site/form-result';
import { serverContext } from '../server/context.server';

/** A refusal with more text is not kept, because it would enlarge every form of its page. */
const MAX_REFUSAL_BYTES = 6_000;
/** The most forms with text on a page; all tokens together fit into a form (`readForm`). */
const MAX_REFUSALS = 4;

/**
 * Without scripts each form replaces the page. To keep the refusals of other forms on the page, each refusal gets a
 * token, which the other forms return in a hidden field. The token is sealed for its page: only the server makes one.
 */
function withToken(refusal: FormResult, path: string): FormResult {
  const text = JSON.stringify({ path, refusal });
  if (Buffer.byteLength(text) > MAX_REFUSAL_BYTES) return refusal;
  return { ...refusal, token: serverContext().keyring.seal('form', text) };
}

/** The refusals of these tokens for the page at `path`. Skips tokens that this server did not issue. */
export function refusalsOf(tokens: readonly string[], path: string): FormResult[] {
  return tokens.slice(0, MAX_REFUSALS).flatMap((token) => {
    const text = serverContext().keyring.open('form', token);
    if (text === null) return [];
    // The seal proves that `withToken` wrote it.
    const sealed = JSON.parse(text) as { path: string; refusal: FormResult };
    return sealed.path === path ? { ...sealed.refusal, token, earlier: true } : [];
  });
}

function withOthers(result: FormResult, form: URLSearchParams, path: string): FormResult {
  const tokens = form.get(OTHER_REFUSALS) ?? '';
  const others = tokens === '' ? [] : refusalsOf(tokens.split(' '), path);
  return others.length === 0 ? result : { ...result, others };
}

/** Whether the browser itself sent a form; scripts send it by `fetch` (w3.org/TR/fetch-metadata, `Sec-Fetch-Mode`). */
const isNavigation = (request: Request) => request.headers.get('Sec-Fetch-Mode') === 'navigate';

/** The refusal of a form, with its token and the other refusals in `form`, for a page without scripts. */
export function keepRefusals(refusal: FormResult, request: Request, form: URLSearchParams): FormResult {
  if (!isNavigation(request)) return refusal;
  const { pathname } = new URL(request.url);
  return withOthers(withToken(refusal, pathname), form, pathname);
}

/** A success with the other refusals in `form`, if it redirects back to its page. `address`: the redirect target. */
export function withOtherRefusals(
  result: FormResult,
  form: URLSearchParams,
  { request, address }: { request: Request; address: string },
): FormResult {
  const { pathname } = new URL(request.url);
  return address.split('?', 1)[0] === pathname ? withOthers(result, form, pathname) : result;
}
