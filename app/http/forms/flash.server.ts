import { SECOND } from '#shared/clock';
import type { FormResult } from '#shared/site/form-result';
import { signedCookie } from '../cookies/signed-cookie.server';
import { refusalsOf } from './other-refusals.server';

/** Browsers follow the redirect at once. */
const LIFETIME_MS = 30 * SECOND;

const cookie = signedCookie('packwatch_flash', { lifetimeMs: LIFETIME_MS });

interface Flash {
  /** The path of the page that shows it. */
  path: string;
  result: Omit<FormResult, 'others'>;
  /** Of the result's `others`. */
  tokens?: string[];
}

/** Browsers keep 4096 bytes of a cookie (RFC 6265, section 6.1); signed and in Base64, a text takes up to 1.6 times its length. */
const MAX_TOKEN_CHARACTERS = 1_500;

const tokensOf = ({ others = [] }: FormResult) => others.flatMap(({ token }) => token ?? []);

/** Whether the refusals that a result brings along fit into the cookie. */
export function fitsFlash(result: FormResult): boolean {
  return tokensOf(result).join('').length <= MAX_TOKEN_CHARACTERS;
}

/** Stores a form's result for the page at `address`, which shows it once. */
export function storeFlash(headers: Headers, address: string, result: FormResult): Promise<void> {
  const [path = ''] = address.split('?', 1);
  const { others: _, ...stored } = result;
  return cookie.commit(
    headers,
    JSON.stringify({ path, result: stored, tokens: tokensOf(result) } satisfies Flash),
  );
}

/** The result for the page of this request, and the headers that delete it from the browser; or null. */
export async function takeFlash(request: Request): Promise<{ result: FormResult; headers: Headers } | null> {
  const text = await cookie.read(request);
  if (text === null) return null;
  // The signature proves that `storeFlash` wrote it.
  const { path, result, tokens = [] } = JSON.parse(text) as Flash;
  if (path !== new URL(request.url).pathname) return null;
  const headers = new Headers();
  await cookie.clear(headers);
  const others = refusalsOf(tokens, path);
  return { result: others.length === 0 ? result : { ...result, others }, headers };
}
