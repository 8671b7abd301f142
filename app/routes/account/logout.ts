import { redirect, type ActionFunctionArgs } from '@remix-run/node';
import { serialize } from 'cookie';
import { DAY, SECOND } from '#shared/clock';
import { withSignOutFailed, SIGN_OUT_FAILED } from '~/components/account/sign-out-form';
import { SIGNED_OUT_COOKIE } from '~/components/account/local-session';
import { databaseFailure, logPageError, textResponse, withTextFailures } from '~/http/server/failures.server';
import { readForm } from '~/http/forms/read-form.server';
import { safePath } from '#shared/site/paths';
import { logoutBrowser } from '~/http/auth/logout.server';

const MARKER = { maxAge: (30 * DAY) / SECOND, path: '/', sameSite: 'lax' } as const;

/** Signing out is done by a button, never by following a link. */
export function loader() {
  return redirect('/');
}

/**
 * Ends the cookie's session and the one of local storage. Without scripts a marker asks the next page that has scripts
 * to clear local storage. When it fails, the browser stays signed in: scripts get a 500 (503 while the
 * database is locked or away), and without scripts the browser is redirected to the page of the button, which says so.
 */
export function action({ request }: ActionFunctionArgs) {
  return withTextFailures(async () => {
    const form = await readForm(request);
    const scripted = form.get('scripts') === 'on';
    try {
      const { headers } = await logoutBrowser(request, { localToken: form.get('localToken') });
      if (!scripted) headers.append('Set-Cookie', serialize(SIGNED_OUT_COOKIE, '1', MARKER));
      return redirect('/', { status: 303, headers });
    } catch (error) {
      logPageError(error, { message: 'signing out failed' });
      const { status, headers } = databaseFailure(error) ?? { status: 500 };
      return scripted
        ? textResponse(SIGN_OUT_FAILED, status, headers)
        : redirect(withSignOutFailed(safePath(form.get('returnTo'))), 303);
    }
  });
}
