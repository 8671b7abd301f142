import { redirect } from '@remix-run/node';
import type { Session, Viewer } from '#shared/accounts/account';
import { createSession, findViewer as findViewerOf, revokeByTokens } from '#shared/accounts/sessions';
import { asNextPath, withNext } from '~/components/account/next-path';
import { serverContext } from '../server/context.server';
import { hasSecureCookies } from '../cookies/cookies.server';
import { cookieToken, sessionCookie } from '../cookies/session-cookie.server';

const viewers = new WeakMap<Request, Promise<Viewer | null>>();

/** The signed-in user of a page request, by its cookie; null without a session. One query per request. */
export function findViewer(request: Request): Promise<Viewer | null> {
  const known = viewers.get(request);
  if (known !== undefined) return known;
  const token = cookieToken(request.headers.get('Cookie'));
  const { db, clock } = serverContext();
  const found = token === null ? Promise.resolve(null) : findViewerOf(db, { token, clock });
  viewers.set(request, found);
  return found;
}

const publicViewers = new WeakMap<Request, Promise<Viewer | null>>();

/** The same for public pages. If the session lookup fails, logs the error and treats the visitor as signed out. */
export function findPublicViewer(request: Request): Promise<Viewer | null> {
  const known = publicViewers.get(request);
  if (known !== undefined) return known;
  const found = findViewer(request).catch((error: unknown) => {
    serverContext().log.error({ err: error }, 'the session of a public page could not be read');
    return null;
  });
  publicViewers.set(request, found);
  return found;
}

/** Pages that redirect a signed-out visitor to the landing page, per the specification. */
const HOME_WHEN_SIGNED_OUT = ['/', '/dashboard', '/dashboard/subscription'];

/** The sign-in page for a signed-out visitor; `next` in its address names the page to open afterwards. */
function signInPathFor(request: Request): string {
  const { pathname, search } = new URL(request.url);
  if (HOME_WHEN_SIGNED_OUT.includes(pathname.replace(/(?<=.)\/+$/, ''))) return '/';
  return withNext('/?auth=login', asNextPath(pathname + search));
}

/** The signed-in user of a page. Throws a redirect to the sign-in, or from the dashboard to the landing page. */
export async function requireMember(request: Request): Promise<Viewer> {
  const viewer = await findViewer(request);
  if (viewer === null) throw redirect(signInPathFor(request));
  return viewer;
}

/** The admin of a page. Throws a redirect: for visitors as `requireMember`, for members to the dashboard. */
export async function requireAdmin(request: Request): Promise<Viewer> {
  const viewer = await requireMember(request);
  if (viewer.account.role !== 'admin') throw redirect('/dashboard');
  return viewer;
}

/** Sets the session cookie. */
export function commitSession(headers: Headers, token: string): void {
  headers.append('Set-Cookie', sessionCookie(token, { secure: hasSecureCookies() }));
}

/** Deletes the session cookie. */
export function clearSession(headers: Headers): void {
  headers.append('Set-Cookie', sessionCookie(null, { secure: hasSecureCookies() }));
}

/** Ends the session that the browser had before it signed in again. */
export async function endEarlierSession(request: Request): Promise<void> {
  const { db } = serverContext();
  const earlier = cookieToken(request.headers.get('Cookie'));
  if (earlier !== null) await revokeByTokens(db, { tokens: [earlier] });
}

/** Creates the token for the local storage of a browser that has signed in. Its session ends with the cookie's. */
export async function openSecondSession(request: Request, cookieSession: Session): Promise<string> {
  const { db, clock } = serverContext();
  const { token } = await createSession(db, {
    accountId: cookieSession.user_id,
    browserSessionId: cookieSession.id,
    userAgent: request.headers.get('User-Agent'),
    clock,
  });
  return token;
}
