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
