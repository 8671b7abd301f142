import { redirect, type ActionFunctionArgs } from '@remix-run/node';
import { revokeByToken } from '#shared/accounts/sessions';
import { SIGNED_OUT_COOKIE } from '~/components/account/signed-out-cookie';
import { plainAnswer, orPlainRefusal } from '~/http/plain-answer.server';
import { readForm } from '~/http/read-form.server';
import { requestIdOf } from '~/http/request-id.server';
import { serverContext } from '~/http/server-context.server';
import { logoutBrowser } from '~/http/sign-in.server';

const MARKER_KEPT_SECONDS = 30 * 24 * 60 * 60;

/** Signing out is done by a button, never by following a link. */
export function loader() {
  return redirect('/');
}

/**
 * Ends the cookie's session and, when scripts sent it along, the one of local storage. Without them a marker asks
 * the next page that has scripts to clear up there.
 */
export function action({ request }: ActionFunctionArgs) {
  return orPlainRefusal(async () => {
    const form = await readForm(request);
    const scripted = form.get('scripts') === 'on';
    const localToken = form.get('localToken');
    try {
      const { headers } = await logoutBrowser(request);
      const { db } = serverContext();
      if (localToken) await revokeByToken(db, { token: localToken });
      if (!scripted)
        headers.append(
          'Set-Cookie',
          `${SIGNED_OUT_COOKIE}=1; Max-Age=${MARKER_KEPT_SECONDS}; Path=/; SameSite=Lax`,
        );
      return redirect('/', { status: 303, headers });
    } catch (error) {
      serverContext().log.error({ requestId: requestIdOf(request), err: error }, 'signing out failed');
      return plainAnswer('Failed to sign out. Please go back and try again.', 500);
    }
  });
}
