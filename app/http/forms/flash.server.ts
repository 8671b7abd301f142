import { SECOND } from '#shared/clock';
import type { FormResult } from '#shared/site/form-result';
import { signedCookie } from '../cookies/signed-cookie.server';

/** Browsers follow the redirect at once. */
const LIFETIME_MS = 30 * SECOND;

const cookie = signedCookie('packwatch_flash', { lifetimeMs: LIFETIME_MS });

interface Flash {
  /** The path of the page that shows it. */
  path: string;
  result: FormResult;
}

/** Stores a form's result for the page at `address`, which shows it once. */
export function storeFlash(headers: Headers, address: string, result: FormResult): Promise<void> {
  const [path = ''] = address.split('?', 1);
  return cookie.commit(headers, JSON.stringify({ path, result } satisfies Flash));
}

/** The result for the page of this request, and the headers that delete it from the browser; or null. */
export async function takeFlash(request: Request): Promise<{ result: FormResult; headers: Headers } | null> {
  const text = await cookie.read(request);
  if (text === null) return null;
  // The signature proves that `storeFlash` wrote it.
  const { path, result } = JSON.parse(text) as Flash;
  if (path !== new URL(request.url).pathname) return null;
  const headers = new Headers();
  await cookie.clear(headers);
  return { result, headers };
}
