import { serialize } from 'cookie';
import { useEffect } from 'react';
import { clearLocalSession, findLocalToken } from './local-session';
import { hasSignedOutMarker, SIGNED_OUT_COOKIE } from './signed-out-cookie';

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
  document.cookie = serialize(SIGNED_OUT_COOKIE, '', { maxAge: 0, path: '/' });
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
