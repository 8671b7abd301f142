import { redirect } from '@remix-run/node';
import type { Session, Viewer } from '#shared/accounts/account';
import { createSession, findViewer as findViewerOf, revokeByTokens } from '#shared/accounts/sessions';
import { asNextPath, withNext } from '#shared/site/paths';
import { serverContext } from '../server/context.server';
import { noteAccount } from '../server/request-context.server';
import { hasSecureCookies } from '../cookies/cookies.server';
import { cookieToken, sessionCookie } from '../cookies/session-cookie.server';
import type { Clock } from '#shared/clock';

const viewers = new WeakMap<Request, Promise<Viewer | null>>();

/** The signed-in user of a page request by its cookie; null without a session. Queries the database once per request. */
export function findViewer(request: Request): Promise<Viewer | null> {
  const known = viewers.get(request);
  if (known !== undefined) return known;
  const token = cookieToken(request.headers.get('Cookie'));
  const { db, clock } = serverContext();
  const found = token === null ? Promise.resolve(null) : findViewerOf(db, { token, clock });
  viewers.set(request, found);
  const noteViewer = (viewer: Viewer | null): void => {
    if (viewer !== null) noteAccount(viewer.account.id);
  };
  // The caller handles a failed query.
  found.then(noteViewer, () => {});
  return found;
}

const publicViewers = new WeakMap<Request, Promise<Viewer | null>>();

/** `findViewer` for public pages: if the query fails, logs the error and returns null. */
export function findPublicViewer(request: Request): Promise<Viewer | null> {
  const known = publicViewers.get(request);
  if (known !== undefined) return known;
  const found = findViewer(request).catch((error: unknown) => {
    serverContext().outages.failed(error, 'the session of a public page could not be read');
    return null;
  });
  publicViewers.set(request, found);
  return found;
}

/**
 * The sign-in path for a signed-out visitor: the landing page, as specified, with its sign-in dialog. Its `next` parameter
 * is the page to open afterwards, and `ended` says that the browser was signed in before.
 */
function signInPathFor(request: Request): string {
  const { pathname, search } = new URL(request.url);
  if (pathname === '/') return '/';
  const path = withNext('/?auth=login', asNextPath(pathname + search));
  return cookieToken(request.headers.get('Cookie')) === null ? path : `${path}&ended=1`;
}

/** The signed-in user of a page. Throws a redirect to the sign-in or the landing page for visitors. */
export async function requireMember(request: Request): Promise<Viewer> {
  const viewer = await findViewer(request);
  if (viewer === null) throw redirect(signInPathFor(request));
  return viewer;
}

/** The admin of a page. Throws the redirect of `requireMember` for visitors, and one to the dashboard for members. */
export async function requireAdmin(request: Request): Promise<Viewer> {
  const viewer = await requireMember(request);
  if (viewer.account.role !== 'admin') throw redirect('/dashboard');
  return viewer;
}

/** Adds the Set-Cookie header with the session token. */
export function commitSession(headers: Headers, token: string): void {
  headers.append('Set-Cookie', sessionCookie(token, { secure: hasSecureCookies() }));
}

/** Adds the Set-Cookie header that deletes the session cookie. */
export function clearSession(headers: Headers): void {
  headers.append('Set-Cookie', sessionCookie(null, { secure: hasSecureCookies() }));
}

/** Ends the session that the browser had before this sign-in. */
export async function endEarlierSession(request: Request): Promise<void> {
  const { db } = serverContext();
  const earlier = cookieToken(request.headers.get('Cookie'));
  if (earlier !== null) await revokeByTokens(db, { tokens: [earlier] });
}

/** Creates the session token for the browser's local storage. It ends together with the session of the cookie. */
export async function createLocalStorageSession(request: Request, cookieSession: Session): Promise<string> {
  const { db, clock } = serverContext();
  const { token } = await createSession(db, {
    accountId: cookieSession.user_id,
    browserSessionId: cookieSession.id,
    userAgent: request.headers.get('User-Agent'),
    clock,
  });
  return token;
}

/** The user as the actor of a write, for the audit log. */
export function actorOf({ account }: Pick<Viewer, 'account'>): { userId: string } {
  return { userId: account.id };
}

/** The actor and the clock, which most write functions of `shared/` take. */
export function writeOf(viewer: Pick<Viewer, 'account'>): { actor: { userId: string }; clock: Clock } {
  return { actor: actorOf(viewer), clock: serverContext().clock };
}
