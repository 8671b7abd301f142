import { randomBytes } from 'node:crypto';
import type { Account, Session } from '#shared/accounts/account';
import { loginWithPassword } from '#shared/accounts/passwords/login-with-password';
import type { SignedIn } from '#shared/accounts/open-session';
import { registerWithPassword } from '#shared/accounts/passwords/register-with-password';
import { resendCode } from '#shared/accounts/codes/resend-code';
import { verifyCode } from '#shared/accounts/codes/verify-code';
import { MINUTE, SECOND } from '#shared/clock';
import { DomainError } from '#shared/errors';
import { nextPathOf } from '#shared/site/next-path';
import { counted } from '#shared/site/format';
import { clearPending, commitPending, readPending, type PendingSignIn } from './pending-login.server';
import { clientUse, type LimitUse } from '../server/rate-limits.server';
import { serverContext } from '../server/context.server';
import { wideNetworkOf } from '../server/client-network.server';
import { clientAddress } from '../server/request-context.server';
import { refuseCrossOrigin } from './same-origin.server';
import { logSignIn } from './sign-in-log.server';
import { commitSession, endEarlierSession } from './session.server';

/** The response to each request for a code, even if none was sent, so that it does not reveal which accounts exist. */
export const CODE_SENT = 'Verification code sent! Please check your email.';

export interface Credentials {
  /** Normalised by `emailField`. */
  email: string;
  password: string;
}

const BROWSER_KEY_BYTES = 32;

/** The network whose clients share a limit for password hashing and code mails. */
function callerNetwork(): string {
  return wideNetworkOf(clientAddress());
}

/** The browser's key from its pending sign-in, or a new key. */
export async function browserKeyOf(request: Request): Promise<string> {
  const pending = await readPending(request);
  return pending?.browserKey ?? randomBytes(BROWSER_KEY_BYTES).toString('base64url');
}

/** Creates an account. `browserKey` is null for a call without a pending sign-in. Refusals: 422, 429, 503. */
export async function register(credentials: Credentials & { browserKey: string | null }): Promise<void> {
  const context = serverContext();
  await context.limits.take([clientUse('register')]);
  await registerWithPassword(context, { ...credentials, network: callerNetwork() });
}

/** The path of this site to open after the sign-in, from the URL of the form; null for the dashboard. */
export function nextOfRequest(request: Request): string | null {
  return nextPathOf(new URL(request.url).searchParams);
}

/** Creates an account from a browser. The headers store its pending sign-in. */
export async function registerBrowser(
  request: Request,
  { email, password }: Credentials,
): Promise<{ headers: Headers }> {
  const browserKey = await browserKeyOf(request);
  await register({ email, password, browserKey });
  return {
    headers: await pendingHeaders({ email, browserKey, byDiscord: false, next: nextOfRequest(request) }),
  };
}

async function pendingHeaders(pending: PendingSignIn): Promise<Headers> {
  const headers = new Headers();
  await commitPending(headers, pending);
  return headers;
}

/**
 * Ends the browser's earlier session, and refreshes the account's avatar. The headers set the new session cookie and delete
 * the pending sign-in.
 */
export async function commitSignIn(request: Request, { token, account }: SignedIn): Promise<Headers> {
  serverContext().discordImages.refresh(account);
  await endEarlierSession(request);
  const headers = new Headers();
  commitSession(headers, token);
  if ((await readPending(request)) !== null) await clearPending(headers);
  return headers;
}

const GUESSED =
  'Too many wrong passwords were tried for this account. To protect it, it takes no password for now: sign in with Discord, or wait';

/**
 * Counts a guess of a password for the account, from any network. The same for addresses without an account. A sign-in
 * with Discord is not affected, so that guesses of strangers do not lock the owner out.
 */
async function takeGuess(use: LimitUse): Promise<void> {
  try {
    await serverContext().limits.take([use]);
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'RateLimited') throw error;
    const { retryAfterSeconds = 0 } = error;
    const minutes = Math.ceil((retryAfterSeconds * SECOND) / MINUTE);
    const message = `${GUESSED} ${counted(minutes, 'minute')}.`;
    throw new DomainError('RateLimited', { code: 'account_guessed', message, retryAfterSeconds });
  }
}

/**
 * Signs in with a password. Successful attempts do not count against the rate limits. Refusals: 401 `invalid_credentials`,
 * 403 `verification_required` (a code was sent) or `account_disabled`, 429, 503.
 */
export async function login(
  request: Request,
  credentials: Credentials & { browserKey: string | null },
): Promise<SignedIn> {
  const context = serverContext();
  const uses: LimitUse[] = [clientUse('loginAccount', credentials.email), clientUse('loginAddress')];
  const guess: LimitUse = { limit: 'loginEverywhere', key: credentials.email };
  return logSignIn({ way: 'password', email: credentials.email }, async () => {
    await context.limits.take(uses);
    await takeGuess(guess);
    const signedIn = await loginWithPassword(context, {
      ...credentials,
      network: callerNetwork(),
      userAgent: request.headers.get('User-Agent'),
    });
    await context.limits.refund([...uses, guess]);
    return signedIn;
  });
}

/** The result of a sign-in in a browser. The headers set its session cookie. */
export interface SignedInBrowser {
  account: Account;
  session: Session;
  headers: Headers;
  /** The path of this site to open afterwards; null for the dashboard. */
  next: string | null;
}

type BrowserLogin = ({ is: 'signed_in' } & SignedInBrowser) | { is: 'verify'; headers: Headers };

async function signInBrowser(
  request: Request,
  signedIn: SignedIn,
  next: string | null,
): Promise<SignedInBrowser> {
  const headers = await commitSignIn(request, signedIn);
  return { account: signedIn.account, session: signedIn.session, headers, next };
}

/** Signs in from a browser. If the address is not confirmed yet, the headers store the pending sign-in. */
export async function loginBrowser(
  request: Request,
  { email, password }: Credentials,
): Promise<BrowserLogin> {
  const browserKey = await browserKeyOf(request);
  try {
    const signedIn = await login(request, { email, password, browserKey });
    return { is: 'signed_in', ...(await signInBrowser(request, signedIn, nextOfRequest(request))) };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'verification_required') throw error;
    return {
      is: 'verify',
      headers: await pendingHeaders({ email, browserKey, byDiscord: false, next: nextOfRequest(request) }),
    };
  }
}

/**
 * Confirms an address with its code, and signs in. `byDiscord`: Discord has authenticated the sign-in. Refusals: 403
 * `account_disabled`, 422 `invalid_code`, 429.
 */
export async function verify(
  request: Request,
  {
    byDiscord = false,
    ...entry
  }: { email: string; code: string; browserKey: string | null; byDiscord?: boolean },
): Promise<SignedIn> {
  const context = serverContext();
  // Counted per pending sign-in: other clients' attempts must not lock out the browser that waits for the code.
  const origin = entry.browserKey === null ? 'api' : `browser ${entry.browserKey}`;
  const uses: LimitUse[] = [
    { limit: 'verifyAccount', key: `${entry.email} ${origin}` },
    clientUse('verifyAddress'),
    // Guesses of strangers must not keep the owner from the sign-in that Discord has authenticated.
    ...(byDiscord ? [] : [{ limit: 'verifyEverywhere' as const, key: entry.email }]),
  ];
  return logSignIn({ way: 'code', email: entry.email }, async () => {
    await context.limits.take(uses);
    const signedIn = await verifyCode(context, { ...entry, userAgent: request.headers.get('User-Agent') });
    await context.limits.refund(uses);
    return signedIn;
  });
}

/**
 * The sign-in of an API request: the browser's pending one if its cookie goes along and names the address, else none. Throws
 * a 403 refusal if the page of another site sent the cookie.
 */
export async function signInOfCaller(
  request: Request,
  email: string,
): Promise<Pick<PendingSignIn, 'email' | 'byDiscord'> & { browserKey: string | null }> {
  const pending = await readPending(request);
  if (pending === null || pending.email !== email) return { email, browserKey: null, byDiscord: false };
  refuseCrossOrigin(request, new URL(serverContext().config.appUrl).origin);
  const { browserKey, byDiscord } = pending;
  return { email, browserKey, byDiscord };
}

async function requirePending(request: Request): Promise<PendingSignIn> {
  const pending = await readPending(request);
  if (pending !== null) return pending;
  throw new DomainError('Invalid', {
    code: 'no_pending',
    message: 'This sign-in has taken too long. Please begin again.',
  });
}

/** `verify` for the browser's pending sign-in. Throws `Invalid` `no_pending` if there is none. */
export async function verifyBrowser(request: Request, { code }: { code: string }): Promise<SignedInBrowser> {
  const { next, ...pending } = await requirePending(request);
  return signInBrowser(request, await verify(request, { ...pending, code }), next);
}

/** Sends another code if the address needs one. Refusals: 429, 503. */
export async function resend(target: {
  email: string;
  browserKey: string | null;
}): Promise<{ message: string }> {
  const context = serverContext();
  await context.limits.take([clientUse('resend')]);
  await resendCode(context, { ...target, network: callerNetwork() });
  return { message: CODE_SENT };
}

/** `resend` for the browser's pending sign-in. Throws `Invalid` `no_pending` if there is none. */
export async function resendBrowser(request: Request): Promise<{ message: string }> {
  return resend(await requirePending(request));
}
