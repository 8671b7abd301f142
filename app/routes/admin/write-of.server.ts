import type { Clock } from '#shared/clock';
import type { Viewer } from '#shared/accounts/account';
import { serverContext } from '~/http/server/context.server';

/** The actor and the clock, which every write function of `shared/` takes. */
export function writeOf({ account }: Pick<Viewer, 'account'>): { actor: { userId: string }; clock: Clock } {
  return { actor: { userId: account.id }, clock: serverContext().clock };
}
