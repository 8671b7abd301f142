import type { Transaction } from 'kysely';
import type { Schema } from '../database/schema';
import type { DueDelivery } from '../queues/catalogue';
import type { Account } from './account';
import type { AccountsContext } from './accounts-context';
import { readAllowance } from './code-allowance';
import { findLiveCode, issueCode, type CodeMeaning } from './verification-codes';

/**
 * The code that a sign-in needs before it may go on: the live one when it is seconds old, else a new one, and none
 * when the address has had its share of mail.
 */
export async function askForCode(
  trx: Transaction<Schema>,
  { keyring, clock }: Pick<AccountsContext, 'keyring' | 'clock'>,
  code: { account: Account; browserKey: string | null; meaning: CodeMeaning },
): Promise<DueDelivery[]> {
  const now = clock.now();
  const { account } = code;
  const allowance = await readAllowance(trx, { keyring, email: account.email, now });
  if (allowance.exhausted) return [];
  if (allowance.recent && (await findLiveCode(trx, { accountId: account.id, now })) !== null) return [];
  return [await issueCode(trx, { keyring, now }, code)];
}
