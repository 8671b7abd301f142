import { type AccountsContext, requireMail } from '../accounts-context';
import type { Account, Session } from '../account';
import { ensureCode } from '../codes/code-mails';
import { invalidCode, tryCode } from '../codes/verification-codes';
import { inTransaction } from '../../database/transaction';
import { DomainError } from '../../errors';
import { listedIdOf } from '../sessions';

interface Owner {
  account: Account;
  session: Session;
}

/** Codes of a purpose belong to one session: no sign-in can use them, and no other session. */
const codeKeyOf = (purpose: string, session: Session): string => `${purpose} ${listedIdOf(session)}`;

/**
 * Mails a code with which the owner of a session proves to be there, for one purpose. Throws `RateLimited` `code_too_soon`,
 * and `Unavailable` while mail is switched off.
 */
export async function sendOwnerCode(
  context: AccountsContext,
  { account, session, purpose }: Owner & { purpose: string },
): Promise<void> {
  requireMail(context);
  const due = await inTransaction(context.db, (trx) =>
    ensureCode(trx, context, {
      account,
      browserKey: codeKeyOf(purpose, session),
      purpose: { registrationId: null, discord: null },
    }),
  );
  context.mail.notifyQueue(due);
}

function refusal(field: string, code: string, message: string): DomainError {
  return new DomainError('Invalid', { code, message, fieldErrors: { [field]: [message] } });
}

/**
 * Requires the password of the account, or, where it has none or none is given, a code of `sendOwnerCode`. `network`: as
 * `wideNetworkOf` returns it. Throws `Invalid` for a wrong or missing one, and `Unavailable` `busy`.
 */
export async function requireOwner(
  context: AccountsContext,
  {
    account,
    session,
    purpose,
    password,
    code,
    network,
  }: Owner & { purpose: string; password: string | undefined; code: string | undefined; network: string },
): Promise<void> {
  const { db, keyring, clock, passwords } = context;
  const { password_hash: stored } = account;
  if (stored !== null && code === undefined) {
    if (password === undefined)
      throw refusal('password', 'password_required', 'Please enter your password, or ask for a code.');
    if (!(await passwords.verify(password, stored, network)))
      throw refusal('password', 'wrong_password', 'This is not your password.');
    return;
  }
  if (code === undefined)
    throw refusal(
      'code',
      'code_required',
      'Please enter the code from the mail. If you have none, ask for one.',
    );
  const entry = { accountId: account.id, code, browserKey: codeKeyOf(purpose, session) };
  // Commits in any case: a rolled-back try would be free.
  const right = await inTransaction(db, (trx) => tryCode(trx, { keyring, now: clock.now() }, entry));
  if (right === null) throw invalidCode();
}
