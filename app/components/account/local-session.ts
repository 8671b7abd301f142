import { useEffect } from 'react';

/** What the browser keeps in local storage for clients that speak to the API with a bearer token. */
export interface LocalSession {
  token: string;
  user: { id: string; email: string };
}

const TOKEN_KEY = 'auth_token';
const USER_KEY = 'user';
const USER_ID_KEY = 'userId';

/** Keeps a session in local storage. Returns false where storage is full or switched off. */
export function storeLocalSession({ token, user }: LocalSession): boolean {
  try {
    localStorage.setItem(TOKEN_KEY, token);
    localStorage.setItem(USER_KEY, JSON.stringify(user));
    localStorage.setItem(USER_ID_KEY, user.id);
    return true;
  } catch {
    return false;
  }
}

/** The kept token; null when there is none or storage is switched off. */
export function findLocalToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY);
  } catch {
    return null;
  }
}

/** Forgets token, user and userId. */
export function clearLocalSession(): void {
  try {
    for (const key of [TOKEN_KEY, USER_KEY, USER_ID_KEY]) localStorage.removeItem(key);
  } catch {
    // Switched off: nothing was kept either.
  }
}

/**
 * Set by a sign-out that no script accompanied, so that it could not clear local storage: the next page with
 * scripts does it. Readable by scripts, and says nothing else.
 */
export const SIGNED_OUT_COOKIE = 'signed-out';

/** Whether the marker is there. `cookies` is a Cookie header or `document.cookie`. */
export function hasSignedOutMarker(cookies: string): boolean {
  return cookies.split(/;\s*/).includes(`${SIGNED_OUT_COOKIE}=1`);
}

/** Starting up waits no longer than this for the profile. */
const INITIALISATION_LIMIT_MS = 3_000;

/** Ends what a sign-out without scripts left. When the server cannot be asked, the next page tries again. */
async function endLocalSession(token: string, signal: AbortSignal): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch('/api/auth/logout', { method: 'POST', headers, signal });
  if (!answer.ok) return;
  clearLocalSession();
  removeSignedOutMarker();
}

function removeSignedOutMarker(): void {
  document.cookie = `${SIGNED_OUT_COOKIE}=; Max-Age=0; Path=/`;
}

/** Whether the token is refused, or is another account's than the page's. */
async function isStale(token: string, accountId: string | null, signal: AbortSignal): Promise<boolean> {
  const answer = await fetch('/api/auth/user', { headers: { Authorization: `Bearer ${token}` }, signal });
  if (!answer.ok) return true;
  const { user } = (await answer.json()) as { user?: { id?: unknown } };
  return accountId !== null && user?.id !== accountId;
}

async function checkLocalSession(accountId: string | null, signal: AbortSignal): Promise<void> {
  const token = findLocalToken();
  const marked = accountId === null && hasSignedOutMarker(document.cookie);
  if (token === null) {
    if (marked) removeSignedOutMarker();
    return;
  }
  if (marked) return endLocalSession(token, signal);
  if (await isStale(token, accountId, signal)) clearLocalSession();
}

/**
 * At the start of every page: the token in local storage is tried, and dropped when it is refused or belongs to
 * somebody else than the page's cookie. An answer that does not come is no refusal: after the limit the page
 * goes on with what it has. `accountId` is whom the page was made for, null for a visitor.
 */
export function useLocalSessionCheck(accountId: string | null): void {
  useEffect(() => {
    const leaving = new AbortController();
    const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(INITIALISATION_LIMIT_MS)]);
    checkLocalSession(accountId, signal).catch(() => undefined);
    return () => leaving.abort();
  }, [accountId]);
}
