import { useEffect } from 'react';

/** The session in local storage, for clients that call the API with a bearer token. */
export interface LocalSession {
  token: string;
  user: { id: string; email: string };
}

const TOKEN_KEY = 'auth_token';
const USER_KEY = 'user';
const USER_ID_KEY = 'userId';

/** Stores a session in local storage, in place of an earlier one; or nothing, if it is full: the cookie signs in. */
export function storeLocalSession({ token, user }: LocalSession): void {
  clearLocalSession();
  try {
    localStorage.setItem(TOKEN_KEY, token);
    localStorage.setItem(USER_KEY, JSON.stringify(user));
    localStorage.setItem(USER_ID_KEY, user.id);
  } catch {
    clearLocalSession();
  }
}

/** Returns the stored token; null if there is none or storage is disabled. */
export function findLocalToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY);
  } catch {
    return null;
  }
}

/** Removes token, user and userId. */
export function clearLocalSession(): void {
  try {
    for (const key of [TOKEN_KEY, USER_KEY, USER_ID_KEY]) localStorage.removeItem(key);
  } catch {
    // Storage is disabled, so it holds nothing.
  }
}

/** Marks a sign-out without scripts: the next page with scripts reads it and clears local storage. */
export const SIGNED_OUT_COOKIE = 'signed-out';

/** Time limit for the check of the stored token. */
const INITIALISATION_LIMIT_MS = 3_000;

/** Completes a sign-out without scripts. If the server is unreachable, the next page tries again. */
async function revokeLocalSession(token: string, signal: AbortSignal): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch('/api/auth/logout', { method: 'POST', headers, signal });
  if (!response.ok) return;
  clearLocalSession();
  removeSignedOutMarker();
}

function removeSignedOutMarker(): void {
  document.cookie = `${SIGNED_OUT_COOKIE}=; Max-Age=0; Path=/`;
}

/** Whether the server rejects the token or it belongs to another account than the page. */
async function isStale(token: string, accountId: string | null, signal: AbortSignal): Promise<boolean> {
  const response = await fetch('/api/auth/user', { headers: { Authorization: `Bearer ${token}` }, signal });
  if (!response.ok) return true;
  const { user } = (await response.json()) as { user?: { id?: unknown } };
  return accountId !== null && user?.id !== accountId;
}

async function checkLocalSession(accountId: string | null, signal: AbortSignal): Promise<void> {
  const token = findLocalToken();
  const marked = accountId === null && document.cookie.split('; ').includes(`${SIGNED_OUT_COOKIE}=1`);
  if (token === null) {
    if (marked) removeSignedOutMarker();
    return;
  }
  if (marked) return revokeLocalSession(token, signal);
  if (await isStale(token, accountId, signal)) clearLocalSession();
}

let runningCheck: AbortController | null = null;
let isSigningOut = false;

/**
 * Runs a sign-out, during which the check of the page ends, and none starts: the server would refuse its token, and the
 * browser note that as an error.
 */
export async function withoutLocalSessionCheck<Result>(signOut: () => Promise<Result>): Promise<Result> {
  isSigningOut = true;
  runningCheck?.abort();
  try {
    return await signOut();
  } finally {
    isSigningOut = false;
  }
}

/**
 * Checks the token in local storage when a page starts, and removes it if the server rejects it or it belongs to another
 * account than the session cookie. If the server does not answer in time, the token stays. `accountId`: the account that
 * the page was rendered for; null if signed out.
 */
export function useLocalSessionCheck(accountId: string | null): void {
  useEffect(() => {
    // A visitor can sign out before React runs the effects of a page.
    if (isSigningOut) return undefined;
    const check = new AbortController();
    runningCheck = check;
    const signal = AbortSignal.any([check.signal, AbortSignal.timeout(INITIALISATION_LIMIT_MS)]);
    checkLocalSession(accountId, signal).catch(() => undefined);
    return () => check.abort();
  }, [accountId]);
}
