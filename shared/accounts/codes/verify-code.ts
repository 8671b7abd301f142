import { toIso } from '../../clock';
import type { Transaction } from '../../database/schema';
import { inTransaction } from '../../database/transaction';
import { findAccountByEmail, type Account } from '../account';
import type { AccountsContext } from '../accounts-context';
import { linkDiscord } from '../discord/link-discord';
import { clearBounce } from '../mail-bounces';
import {
  disabledOutcome,
  openSession,
  requireSignedIn,
  type SignedIn,
  type SigningIn,
} from '../open-session';
import {
  endConfirmingCodes,
  invalidCode,
  purposeOf,
  tryCode,
  type VerificationCode,
} from './verification-codes';

export interface CodeEntry extends SigningIn {
  /** As `emailField` returns it. */
  email: string;
  /** Six digits. */
  code: string;
  /** The key of the browser that requested the code; null for an API call without cookies: it can use only such codes. */
  browserKey: string | null;
}

/** Marks the address as confirmed. Only now do the password and the Discord account of the same sign-in take effect. */
async function confirm(
  trx: Transaction,
  account: Account,
  code: VerificationCode,
  now: number,
): Promise<Account> {
  const stamp = toIso(now);
  await clearBounce(trx, { userId: account.id, now });
  let confirmed = account;
  if (account.email_verified_at === null) {
    const keepsPassword =
      account.password_registration_id !== null && account.password_registration_id === code.registration_id;
    confirmed = await trx
      .updateTable('users')
      .set({
        email_verified_at: stamp,
        password_hash: keepsPassword ? account.password_hash : null,
        password_registration_id: null,
        updated_at: stamp,
      })
      .where('id', '=', account.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await endConfirmingCodes(trx, { accountId: account.id, now });
  }
  const { discord } = purposeOf(code);
  return discord === null ? confirmed : linkDiscord(trx, { account: confirmed, discord }, now);
}

/**
 * Confirms an address with a code, and signs in. Throws `Invalid` `invalid_code` for a code that is wrong, used,
 * expired, replaced, guessed too often or requested by another browser, and for an unknown address; `Forbidden`
 * `account_disabled` for a disabled account.
 */
export async function verifyCode(
  context: AccountsContext,
  { email, code, browserKey, ...client }: CodeEntry,
): Promise<SignedIn> {
  const { db, clock, keyring } = context;
  const signedIn = await inTransaction(db, async (trx) => {
    const now = clock.now();
    const account = await findAccountByEmail(trx, email);
    if (account === null) return null;
    const right = await tryCode(trx, { keyring, now }, { accountId: account.id, code, browserKey });
    if (right === null) return null;
    const disabled = disabledOutcome(account);
    if (disabled !== null) return disabled;
    const confirmed = await confirm(trx, account, right, now);
    const isFirst = account.email_verified_at === null;
    return openSession(trx, context, { account: confirmed, by: 'code', isFirst, ...client });
  });
  if (signedIn === null) throw invalidCode();
  return requireSignedIn(signedIn);
}
