import type { Clock } from '#shared/clock';
import type { Viewer } from '#shared/accounts/account';
import { serverContext } from '~/http/server/context.server';

/** Who makes a change, and by which clock: what the writing functions of `shared/` take beside their own inputs. */
export function writeOf({ account }: Pick<Viewer, 'account'>): { actor: { userId: string }; clock: Clock } {
  return { actor: { userId: account.id }, clock: serverContext().clock };
}
