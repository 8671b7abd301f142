import type { passkeySignInOperations } from '#shared/accounts/passkeys/passkey-operations';
import { CHALLENGE_LIFETIME_MS } from '#shared/accounts/passkeys/challenges';
import { signedCookie } from '../cookies/signed-cookie.server';
import { commitSignIn, newBrowserKey, nextOfRequest, type SignedInBrowser } from './login.server';
import type { PerformOf } from './run-operation.server';

/** Holds the key of the browser that requested a challenge. Its tabs share the key, but each has its own challenge. */
const cookie = signedCookie('packwatch_passkey', { lifetimeMs: CHALLENGE_LIFETIME_MS });

/** The browser's options for requesting a passkey, and headers that bind the challenge to the browser. */
export async function startPasskeyLogin(
  perform: PerformOf<typeof passkeySignInOperations.start>,
  request: Request,
) {
  const browserKey = (await cookie.read(request)) ?? newBrowserKey();
  const { result: options } = await perform({ browserKey });
  const headers = new Headers();
  await cookie.commit(headers, browserKey);
  return { options, headers };
}

/** Signs a browser in with the passkey that it sent. Throws as the operation does. */
export async function loginWithPasskey(
  perform: PerformOf<typeof passkeySignInOperations.signIn>,
  request: Request,
  response: string,
): Promise<SignedInBrowser> {
  // No challenge is bound to the empty key.
  const { result } = await perform({ browserKey: (await cookie.read(request)) ?? '', response });
  const headers = await commitSignIn(request, result);
  await cookie.clear(headers);
  return { ...result, headers, next: nextOfRequest(request) };
}
