import type { Account, Viewer } from '#shared/accounts/account';
import { hasDesktopAccess } from '#shared/accounts/profile';
import { findViewer } from '#shared/accounts/sessions';
import { DomainError } from '#shared/errors';
import { requireSameOrigin } from '../server/csrf-guard.server';
import { serverContext } from '../server/context.server';
import { bearerToken, cookieToken } from '../cookies/session-cookie.server';

/** Somebody whose credentials nobody asked for. */
export interface Visitor {
  kind: 'visitor';
}

/** Who passes which door: a level of access, and what a call behind that door knows about its caller. */
export interface Callers {
  public: Visitor;
  member: Viewer;
  beta: Viewer;
  desktop: Viewer;
  admin: Viewer;
}

export type Access = keyof Callers;

/** Lets a request through a door, or throws `NotAuthenticated` or `Forbidden`. */
export type DecideAccess = <Level extends Access>(level: Level, request: Request) => Promise<Callers[Level]>;

interface Door {
  opensFor(account: Account): boolean;
  /** What somebody hears who is known but may not pass. */
  refusal: { code: string; message: string };
}

/** The doors behind the front one. An admin passes every door. */
const DOORS: Record<Exclude<Access, 'public'>, Door> = {
  member: { opensFor: () => true, refusal: { code: 'forbidden', message: 'This is not for you.' } },
  beta: {
    opensFor: (account) => account.beta_approved_at !== null,
    refusal: {
      code: 'beta_required',
      message: 'This needs beta access, which your account does not have yet.',
    },
  },
  desktop: {
    opensFor: (account) => hasDesktopAccess(account),
    refusal: { code: 'desktop_required', message: 'This needs beta access and a Pro subscription.' },
  },
  admin: {
    opensFor: () => false,
    refusal: { code: 'admin_required', message: 'Only admins may do this.' },
  },
};

function notAuthenticated(): DomainError {
  return new DomainError('NotAuthenticated', { code: 'not_authenticated', message: 'Not authenticated' });
}

/**
 * Who an API request comes from. A bearer token, once shown, is the only word that counts; else the cookie speaks,
 * and a write by cookie alone must come from our own pages. Throws `NotAuthenticated`, or a 403 refusal.
 */
async function requireCaller(request: Request): Promise<Viewer> {
  const { db, clock, config } = serverContext();
  const authorization = request.headers.get('Authorization');
  const token =
    authorization === null ? cookieToken(request.headers.get('Cookie')) : bearerToken(authorization);
  const viewer = token === null ? null : await findViewer(db, { token, clock });
  if (viewer === null) throw notAuthenticated();
  if (authorization === null) requireSameOrigin(request, new URL(config.appUrl).origin);
  return viewer;
}

async function decide(level: Access, request: Request): Promise<Visitor | Viewer> {
  if (level === 'public') return { kind: 'visitor' };
  // A door that is not listed stays shut.
  const door = Object.hasOwn(DOORS, level) ? DOORS[level] : undefined;
  if (door === undefined) throw notAuthenticated();
  const viewer = await requireCaller(request);
  if (viewer.account.role !== 'admin' && !door.opensFor(viewer.account))
    throw new DomainError('Forbidden', door.refusal);
  return viewer;
}

/** The one place that decides who may call. */
export const decideAccess = decide as DecideAccess;
