import { redirect } from '@remix-run/node';
import type { Session, Viewer } from '#shared/accounts/account';
import { createSession, findViewer as findViewerOf, revokeByTokens } from '#shared/accounts/sessions';
import { asNextPath, withNext } from '~/components/account/next-path';
import { serverContext } from '../server/context.server';
import { cookieToken, sessionCookie } from '../cookies/session-cookie.server';

const seen = new WeakMap<Request, Promise<Viewer | null>>();

/** Who looks at a page, by the cookie alone; null: nobody signed in. Asks the database once per request. */
export function findViewer(request: Request): Promise<Viewer | null> {
  const known = seen.get(request);
  if (known !== undefined) return known;
  const token = cookieToken(request.headers.get('Cookie'));
  const { db, clock } = serverContext();
  const found = token === null ? Promise.resolve(null) : findViewerOf(db, { token, clock });
  seen.set(request, found);
  return found;
}

const told = new WeakMap<Request, Promise<Viewer | null>>();

/**
 * The same for pages that are everybody's: when it cannot be told who looks, with a word in the log, it is nobody, so
 * that such a page comes as long as anything of it can be read.
 */
export function findPublicViewer(request: Request): Promise<Viewer | null> {
  const known = told.get(request);
  if (known !== undefined) return known;
  const found = findViewer(request).catch((error: unknown) => {
    serverContext().log.error({ err: error }, 'the session of a public page could not be read');
    return null;
  });
  told.set(request, found);
  return found;
}

/** Pages that lead a visitor home, as the specification says. */
const LEAD_HOME = ['/', '/dashboard', '/dashboard/subscription'];

/** Where a visitor signs in who has opened a member's page; the address then says where the sign-in leads. */
function signInPathFor(request: Request): string {
  const { pathname, search } = new URL(request.url);
  if (LEAD_HOME.includes(pathname.replace(/(?<=.)\/+$/, ''))) return '/';
  return withNext('/?auth=login', asNextPath(pathname + search));
}

/** The signed-in viewer of a page. Throws a redirect to where visitors sign in; from the dashboard it leads home. */
export async function requireMember(request: Request): Promise<Viewer> {
  const viewer = await findViewer(request);
  if (viewer === null) throw redirect(signInPathFor(request));
  return viewer;
}

/** The admin who looks at a page. Throws a redirect: for visitors as `requireMember`, for members to the dashboard. */
export async function requireAdmin(request: Request): Promise<Viewer> {
  const viewer = await requireMember(request);
  if (viewer.account.role !== 'admin') throw redirect('/dashboard');
  return viewer;
}

function isSecure(): boolean {
  return serverContext().config.appUrl.startsWith('https:');
}

/** Makes the browser keep this session. */
export function commitSession(headers: Headers, token: string): void {
  headers.append('Set-Cookie', sessionCookie(token, { secure: isSecure() }));
}

/** Makes the browser forget its session. */
export function clearSession(headers: Headers): void {
  headers.append('Set-Cookie', sessionCookie(null, { secure: isSecure() }));
}

/** Ends the session that the browser had before it signed in anew, so that nobody is left behind in it. */
export async function endEarlierSession(request: Request): Promise<void> {
  const { db } = serverContext();
  const earlier = cookieToken(request.headers.get('Cookie'));
  if (earlier !== null) await revokeByTokens(db, { tokens: [earlier] });
}

/** The token for the local storage of a browser that has just signed in. Its session ends with the cookie's. */
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
