import { redirect, type ActionFunctionArgs } from '@remix-run/node';
import { withSignOutFailed, SIGN_OUT_FAILED } from '~/components/account/sign-out-failed';
import { SIGNED_OUT_COOKIE } from '~/components/account/signed-out-cookie';
import { plainAnswer, orPlainRefusal } from '~/http/plain-answer.server';
import { readForm } from '~/http/read-form.server';
import { requestIdOf } from '~/http/request-id.server';
import { safePath } from '~/http/safe-path';
import { serverContext } from '~/http/server-context.server';
import { logoutBrowser } from '~/http/sign-in.server';

const MARKER_KEPT_SECONDS = 30 * 24 * 60 * 60;

/** Signing out is done by a button, never by following a link. */
export function loader() {
  return redirect('/');
}

/**
 * Ends the cookie's session and the one of local storage. Without scripts a marker asks the next page that has scripts
 * to clear local storage. When it fails the browser stays signed in: scripts get a 500, and without them the page where
 * the button was pressed says so.
 */
export function action({ request }: ActionFunctionArgs) {
  return orPlainRefusal(async () => {
    const form = await readForm(request);
    const scripted = form.get('scripts') === 'on';
    try {
      const { headers } = await logoutBrowser(request, { localToken: form.get('localToken') });
      if (!scripted)
        headers.append(
          'Set-Cookie',
          `${SIGNED_OUT_COOKIE}=1; Max-Age=${MARKER_KEPT_SECONDS}; Path=/; SameSite=Lax`,
        );
      return redirect('/', { status: 303, headers });
    } catch (error) {
      serverContext().log.error({ requestId: requestIdOf(request), err: error }, 'signing out failed');
      return scripted
        ? plainAnswer(SIGN_OUT_FAILED, 500)
        : redirect(withSignOutFailed(safePath(form.get('returnTo'))), 303);
    }
  });
}
