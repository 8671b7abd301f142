import type { LocalSession } from '~/components/account/local-session';
import type { FormOutcome } from '~/http/forms/page-forms.server';
import { openSecondSession } from '~/http/auth/session.server';
import type { SignedInBrowser } from '~/http/auth/login.server';

/** What scripts take over after a sign-in: the token for local storage, and where the sign-in leads. */
export interface SignedInDetails {
  localSession: LocalSession;
  path: string;
}

/**
 * The outcome of a form that signed a browser in: a redirect to where the sign-in leads, else to the dashboard. With
 * `scripts` it gives a second session for local storage instead, and the scripts open that page themselves.
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
      token: await openSecondSession(request, session),
      user: { id: account.id, email: account.email },
    },
    path,
  };
  return { stay: true, details, headers };
}
