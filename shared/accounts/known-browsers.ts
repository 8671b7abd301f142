import { toIso } from '../clock';
import type { Transaction } from '../database/schema';
import type { EarlierSignIn } from '../operation';
import type { Account } from './account';

/**
 * Whether the signing-in browser has signed in to this account before, and the owner has refused no sign-in since then.
 * `earlierSignIns`: those that the browser's cookie proves.
 */
export function isKnownBrowser(
  { id, browsers_forgotten_at: forgottenAt }: Account,
  earlierSignIns: readonly EarlierSignIn[],
): boolean {
  return earlierSignIns.some(
    ({ accountId, at }) => accountId === id && (forgottenAt === null || toIso(at) > forgottenAt),
  );
}

/** From now on every browser counts as new to this account. */
export async function forgetBrowsers(
  trx: Transaction,
  { accountId, now }: { accountId: string; now: number },
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ browsers_forgotten_at: toIso(now) })
    .where('id', '=', accountId)
    .execute();
}
