import type { LocalSession } from '~/components/account/local-session';
import type { FormOutcome } from '~/http/forms/page-forms.server';
import { createLocalStorageSession } from '~/http/auth/session.server';
import type { SignedInBrowser } from '~/http/auth/login.server';

/** The data for scripts after a sign-in: the token for local storage, and the page to open. */
export interface SignedInDetails {
  localSession: LocalSession;
  path: string;
}

/**
 * The outcome of a form that signed a browser in: a redirect to the next page, the dashboard by default. With `scripts` it
 * contains a second session for local storage instead, and the scripts open the page.
 */
export async function signedIn(
  request: Request,
  { headers, account, session, next }: SignedInBrowser,
  scripts = false,
): Promise<FormOutcome> {
  const path = next ?? '/dashboard';
  if (!scripts) return { to: path, headers };
  const details: SignedInDetails = {
    localSession: {
      token: await createLocalStorageSession(request, session),
      user: { id: account.id, email: account.email },
    },
    path,
  };
  return { stay: true, details, headers };
}
