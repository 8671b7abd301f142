/** The search parameter that opens the sign-in dialog on the landing page. */
export const AUTH_PARAMETER = 'auth';

/** The step of the sign-in dialog. */
export type SignInMode = 'login' | 'verify';

/** Returns the step of the dialog that a URL's search parameters open; null for none. */
export function signInMode(search: URLSearchParams): SignInMode | null {
  const mode = search.get(AUTH_PARAMETER);
  return mode === 'login' || mode === 'verify' ? mode : null;
}
