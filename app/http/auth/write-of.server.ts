import type { Viewer } from '#shared/accounts/account';
import type { Clock } from '#shared/clock';
import { serverContext } from '~/http/server/context.server';

/** The user as the actor of a write, for the audit log. */
export function actorOf({ account }: Pick<Viewer, 'account'>): { userId: string } {
  return { userId: account.id };
}

/** The actor and the clock, which most write functions of `shared/` take. */
export function writeOf(viewer: Pick<Viewer, 'account'>): { actor: { userId: string }; clock: Clock } {
  return { actor: actorOf(viewer), clock: serverContext().clock };
}
