import type { Viewer } from '#shared/accounts/account';
import { hasDesktopAccess } from '#shared/accounts/profile';
import { findViewer } from '#shared/accounts/sessions';
import { DomainError } from '#shared/errors';
import type { Access } from '#shared/operation';
import { bearerToken, cookieToken } from '../cookies/session-cookie.server';
import { serverContext } from '../server/context.server';
import { noteAccount } from '../server/request-context.server';
import { requireOwnPage, requireSameOrigin } from './same-origin.server';

/** An unauthenticated caller. */
interface Anonymous {
  kind: 'anonymous';
}

/** The access levels, and the type of the caller at each level. */
export type Callers = Record<Exclude<Access, 'public'>, Viewer> & { public: Anonymous };

/** Returns the caller of a request. Throws `NotAuthenticated`, `Forbidden`, or a 403 refusal for a cross-site write. */
export type DecideAccess = <Level extends Access>(level: Level, request: Request) => Promise<Callers[Level]>;

interface AccessPolicy {
  /** Whether a signed-in user who is not an admin has this level. */
  allows(viewer: Viewer): boolean;
  refusal: { code: string; message: string };
}

/** The policies of the authenticated levels. Admins pass all of them. */
const POLICIES: Record<Exclude<Access, 'public'>, AccessPolicy> = {
  member: { allows: () => true, refusal: { code: 'forbidden', message: 'You do not have access to this.' } },
  beta: {
    allows: ({ account }) => account.beta_approved_at !== null,
    refusal: {
      code: 'beta_required',
      message: 'This needs beta access, which your account does not have yet. Request it on your dashboard.',
    },
  },
  desktop: {
    allows: hasDesktopAccess,
    refusal: {
      code: 'desktop_required',
      message: 'This needs beta access and a Pro subscription. Your dashboard shows which one is missing.',
    },
  },
  admin: {
    allows: () => false,
    refusal: { code: 'admin_required', message: 'Only admins may do this.' },
  },
};

function notAuthenticated(): DomainError {
  return new DomainError('NotAuthenticated', { code: 'not_authenticated', message: 'Not authenticated' });
}

/** Throws `NotAuthenticated`, or `Forbidden` for a signed-in user without the level. Admins have all levels. */
export function requireLevel(level: Access, viewer: Viewer | null): void {
  if (level === 'public') return;
  // Fail closed: an unknown level denies access.
  if (viewer === null || !Object.hasOwn(POLICIES, level)) throw notAuthenticated();
  const { allows, refusal } = POLICIES[level];
  if (viewer.account.role !== 'admin' && !allows(viewer)) throw new DomainError('Forbidden', refusal);
}

/**
 * The signed-in user of a call that everybody may make, or null: a bearer token takes precedence over the cookie. For calls
 * that only read.
 */
export async function findCaller(request: Request): Promise<Viewer | null> {
  const { db, clock } = serverContext();
  const authorization = request.headers.get('Authorization');
  const token =
    authorization === null ? cookieToken(request.headers.get('Cookie')) : bearerToken(authorization);
  const viewer = token === null ? null : await findViewer(db, { token, clock });
  if (viewer !== null) noteAccount(viewer.account.id);
  return viewer;
}

/**
 * The signed-in user of an API request. A bearer token takes precedence over the cookie; a write with the cookie must come
 * from our own pages. Throws `NotAuthenticated` or a 403 refusal.
 */
async function requireViewer(request: Request): Promise<Viewer> {
  const viewer = await findCaller(request);
  if (viewer === null) throw notAuthenticated();
  const { config } = serverContext();
  if (!request.headers.has('Authorization')) requireSameOrigin(request, new URL(config.appUrl).origin);
  return viewer;
}

/** For a GET that stores something: throws a 403 refusal when only a cookie, which another site may send, authenticates. */
export function requireOwnRequest(request: Request): void {
  if (request.headers.has('Authorization')) return;
  requireOwnPage(request, new URL(serverContext().config.appUrl).origin);
}

async function decide(level: Access, request: Request): Promise<Anonymous | Viewer> {
  if (level === 'public') return { kind: 'anonymous' };
  const viewer = await requireViewer(request);
  requireLevel(level, viewer);
  return viewer;
}

/** Applies the access policies to an API request. */
export const decideAccess = decide as DecideAccess;
