import { randomBytes } from 'node:crypto';
import type { Account, Session } from '#shared/accounts/account';
import type { SignedIn } from '#shared/accounts/open-session';
import type { signInOperations } from '#shared/accounts/sign-in-operations';
import { DomainError } from '#shared/errors';
import { nextPathOf } from '#shared/site/paths';
import { commitEarlierSignIn } from './earlier-sign-ins.server';
import { clearPending, commitPending, readPending, type PendingSignIn } from './pending-login.server';
import { serverContext } from '../server/context.server';
import type { PerformOf } from './run-operation.server';
import { refuseCrossOrigin } from './same-origin.server';
import { commitSession, endEarlierSession } from './session.server';

export interface Credentials {
  /** Normalised by `emailField`. */
  email: string;
  password: string;
}

const BROWSER_KEY_BYTES = 32;

/** A secret by which a sign-in's browser is known again. */
export function newBrowserKey(): string {
  return randomBytes(BROWSER_KEY_BYTES).toString('base64url');
}

/** The browser's key from its pending sign-in, or a new key. */
export async function browserKeyOf(request: Request): Promise<string> {
  const pending = await readPending(request);
  return pending?.browserKey ?? newBrowserKey();
}

/** The path of this site to open after the sign-in, from the URL of the form; null for the dashboard. */
export function nextOfRequest(request: Request): string | null {
  return nextPathOf(new URL(request.url).searchParams);
}

type SignInOperations = typeof signInOperations;

/** Runs an operation of those who are not signed in. */
type PerformSignIn<Name extends keyof SignInOperations> = PerformOf<SignInOperations[Name]>;

/** Creates an account from a browser. The headers store its pending sign-in. */
export async function registerBrowser(
  perform: PerformSignIn<'register'>,
  request: Request,
  { email, password }: Credentials,
): Promise<{ headers: Headers }> {
  const browserKey = await browserKeyOf(request);
  await perform({ email, password, browserKey });
  return { headers: await pendingHeaders(request, { email, browserKey }) };
}

async function pendingHeaders(
  request: Request,
  pending: Pick<PendingSignIn, 'email' | 'browserKey'>,
): Promise<Headers> {
  const headers = new Headers();
  await commitPending(headers, { ...pending, byDiscord: false, next: nextOfRequest(request) });
  return headers;
}

/**
 * Ends the earlier session, refreshes the avatar. The headers set the session cookie, note the sign-in in the browser, and
 * delete the pending sign-in.
 */
export async function commitSignIn(request: Request, { token, account }: SignedIn): Promise<Headers> {
  serverContext().discordImages.refresh(account);
  await endEarlierSession(request);
  const headers = new Headers();
  commitSession(headers, token);
  await commitEarlierSignIn(request, { headers, accountId: account.id });
  if ((await readPending(request)) !== null) await clearPending(headers);
  return headers;
}

/** The result of a sign-in in a browser. The headers set its session cookie. */
export interface SignedInBrowser {
  account: Account;
  session: Session;
  headers: Headers;
  /** The path of this site to open afterwards; null for the dashboard. */
  next: string | null;
}

type BrowserLogin = ({ kind: 'signed_in' } & SignedInBrowser) | { kind: 'verify'; headers: Headers };

/** Signs in from a browser. If the address is not confirmed yet, the headers store the pending sign-in. */
export async function loginBrowser(
  perform: PerformSignIn<'login'>,
  request: Request,
  credentials: Credentials,
): Promise<BrowserLogin> {
  const browserKey = await browserKeyOf(request);
  try {
    const { result } = await perform({ ...credentials, browserKey });
    const headers = await commitSignIn(request, result);
    return { ...result, kind: 'signed_in', headers, next: nextOfRequest(request) };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'verification_required') throw error;
    return {
      kind: 'verify',
      headers: await pendingHeaders(request, { email: credentials.email, browserKey }),
    };
  }
}

/** The sign-in of an API request: the browser's pending one for this address, else none. Throws 403 for another site. */
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
    message: 'This sign-in took too long. Please start again.',
  });
}

/** Confirms the browser's pending sign-in with its code. Throws `Invalid` `no_pending` if there is none. */
export async function verifyBrowser(
  perform: PerformSignIn<'verify'>,
  request: Request,
  { code }: { code: string },
): Promise<SignedInBrowser> {
  const { next, ...pending } = await requirePending(request);
  const { result } = await perform({ ...pending, code });
  return { ...result, headers: await commitSignIn(request, result), next };
}

/** Sends another code for the browser's pending sign-in. Throws `Invalid` `no_pending` if there is none. */
export async function resendBrowser(
  perform: PerformSignIn<'resend'>,
  request: Request,
): Promise<{ message: string }> {
  return perform(await requirePending(request));
}
