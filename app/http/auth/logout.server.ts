import { findViewer } from '#shared/accounts/sessions';
import { signInOperations } from '#shared/accounts/sign-in-operations';
import { requireSameOrigin } from './same-origin.server';
import { serverContext } from '../server/context.server';
import { bearerToken, cookieToken } from '../cookies/session-cookie.server';
import { performerOf } from './run-operation.server';
import { clearSession } from './session.server';

/** The bearer token and cookie whose sessions a sign-out ends. Throws a 403 refusal if another site sent the cookie. */
export async function tokensOfCaller(request: Request): Promise<{ tokens: string[] }> {
  const { db, clock, config } = serverContext();
  const bearer = bearerToken(request.headers.get('Authorization'));
  const cookie = cookieToken(request.headers.get('Cookie'));
  if (cookie !== null && (await findViewer(db, { token: cookie, clock })) !== null)
    requireSameOrigin(request, new URL(config.appUrl).origin);
  return { tokens: [bearer, cookie].filter((token) => token !== null) };
}

/** The headers that delete the session cookie, if the request has one. */
export function withoutSession(request: Request): Headers {
  const headers = new Headers();
  if (cookieToken(request.headers.get('Cookie')) !== null) clearSession(headers);
  return headers;
}

/** Ends the session of a browser, if any. `localToken`: from its local storage. The headers delete the cookie. */
export async function logoutBrowser(
  request: Request,
  { localToken = null }: { localToken?: string | null } = {},
): Promise<{ headers: Headers }> {
  const tokens = [cookieToken(request.headers.get('Cookie')), localToken].filter((token) => token !== null);
  await performerOf(signInOperations.logout, { viewer: null, request })({ tokens });
  const headers = new Headers();
  clearSession(headers);
  return { headers };
}
