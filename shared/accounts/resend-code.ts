import { inTransaction } from '../database/transaction';
import type { DueDelivery } from '../queues/catalogue';
import { findAccountByEmail } from './account';
import { requireMail, type AccountsContext } from './accounts-context';
import { countCodeRequest, readAllowance, tooSoon } from './code-allowance';
import { findBrowsersCode, issueCode, meaningOf } from './verification-codes';

/**
 * Sends another code for the sign-in that this browser began; without one, a code that confirms the address and
 * nothing else. Addresses that need no code, or are unknown, get the same answers and no mail. Throws `RateLimited`
 * when asked again too soon, `Unavailable` while mail is switched off.
 */
export async function resendCode(
  context: AccountsContext,
  { email, browserKey }: { email: string; browserKey: string | null },
): Promise<void> {
  requireMail(context);
  const { db, clock, keyring } = context;
  const due = await inTransaction(db, async (trx): Promise<DueDelivery[]> => {
    const now = clock.now();
    const allowance = await readAllowance(trx, { keyring, email, now });
    if (allowance.waitMs > 0) throw tooSoon(allowance.waitMs);
    const account = await findAccountByEmail(trx, email);
    const begun =
      account === null
        ? null
        : await findBrowsersCode(trx, { keyring, now }, { accountId: account.id, browserKey });
    const meaning = meaningOf(begun);
    if (account === null || (account.email_verified_at !== null && meaning.discord === null)) {
      await countCodeRequest(trx, { keyring, email, now });
      return [];
    }
    return [await issueCode(trx, { keyring, now }, { account, browserKey, meaning })];
  });
  context.mail.wake(due);
}
