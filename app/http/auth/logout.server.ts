import { findViewer, revokeByTokens } from '#shared/accounts/sessions';
import { requireSameOrigin } from '../server/csrf-guard.server';
import { serverContext } from '../server/context.server';
import { bearerToken, cookieToken } from '../cookies/session-cookie.server';
import { clearSession } from './session.server';

/**
 * Ends the sessions that an API request shows, bearer and cookie alike, all or none; the same when there are none. The
 * headers make a browser forget its cookie. Throws a 403 refusal, and ends nothing, when a cookie is shown by another site's page.
 */
export async function logoutCaller(request: Request): Promise<Headers> {
  const { db, clock, config } = serverContext();
  const bearer = bearerToken(request.headers.get('Authorization'));
  const cookie = cookieToken(request.headers.get('Cookie'));
  if (cookie !== null && (await findViewer(db, { token: cookie, clock })) !== null)
    requireSameOrigin(request, new URL(config.appUrl).origin);
  await revokeByTokens(db, { tokens: [bearer, cookie].filter((token) => token !== null) });
  const headers = new Headers();
  if (cookie !== null) clearSession(headers);
  return headers;
}
