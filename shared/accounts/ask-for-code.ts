import type { Transaction } from 'kysely';
import { fromIso } from '../clock';
import type { Schema } from '../database/schema';
import type { DueDelivery } from '../queues/catalogue';
import type { Account } from './account';
import type { AccountsContext } from './accounts-context';
import { proofOf, readProvenWait, RESEND_WAIT_MS, tooSoon } from './code-allowance';
import { findLiveCode, issueCode, meaningOf, type CodeMeaning } from './verification-codes';

function isSameMeaning(one: CodeMeaning, other: CodeMeaning): boolean {
  return one.registrationId === other.registrationId && one.discord?.id === other.discord?.id;
}

/**
 * The code that a proven sign-in needs before it may go on: a new one of its own, or the browser's live one when that is
 * seconds old. Requests of other callers make no difference. Throws `RateLimited` when the sign-in has had its share of
 * mail and no code of it is live.
 */
export async function askForCode(
  trx: Transaction<Schema>,
  { keyring, clock }: Pick<AccountsContext, 'keyring' | 'clock'>,
  { account, browserKey, meaning }: { account: Account; browserKey: string | null; meaning: CodeMeaning },
): Promise<DueDelivery[]> {
  const now = clock.now();
  const context = { keyring, now };
  const live = await findLiveCode(trx, context, { accountId: account.id, browserKey });
  const own = live !== null && isSameMeaning(meaningOf(live), meaning) ? live : null;
  if (own !== null && fromIso(own.created_at) + RESEND_WAIT_MS > now) return [];
  const request = { email: account.email, proof: proofOf(meaning) };
  const waitMs = await readProvenWait(trx, context, request);
  if (waitMs > 0) {
    if (own !== null) return [];
    throw tooSoon(waitMs);
  }
  return [await issueCode(trx, context, { account, browserKey, meaning, request })];
}
