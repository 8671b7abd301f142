import { findViewer, revokeByTokens } from '#shared/accounts/sessions';
import { requireSameOrigin } from './same-origin.server';
import { serverContext } from '../server/context.server';
import { bearerToken, cookieToken } from '../cookies/session-cookie.server';
import { clearSession } from './session.server';

/**
 * Ends the sessions of an API request's bearer token and cookie, if any. The headers delete the cookie. Throws a 403
 * refusal without ending either if a page of another site sent the request.
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

/**
 * Ends the session of a browser, if any. `localToken`: the token from the browser's local storage, if the form sent it. The
 * headers delete the cookie.
 */
export async function logoutBrowser(
  request: Request,
  { localToken = null }: { localToken?: string | null } = {},
): Promise<{ headers: Headers }> {
  const tokens = [cookieToken(request.headers.get('Cookie')), localToken].filter((token) => token !== null);
  await revokeByTokens(serverContext().db, { tokens });
  const headers = new Headers();
  clearSession(headers);
  return { headers };
}
