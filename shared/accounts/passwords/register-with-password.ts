import { toIso } from '../../clock';
import type { Transaction } from '../../database/schema';
import { inTransaction } from '../../database/transaction';
import { newId } from '../../ids';
import type { DueDelivery } from '../../queues/catalogue';
import { createAccount, findAccountByEmail, type Account } from '../account';
import { requireMail, type AccountsContext } from '../accounts-context';
import { readAnonymousAllowance, codeTooSoon, type AnonymousAllowance } from '../codes/code-allowance';
import { sendRegistrationNotice } from '../codes/code-mails';
import { findLiveCode, issueCode } from '../codes/verification-codes';
import { requireUncommonPassword } from './common-passwords.server';
import { requireForeignWords } from './own-words';

export interface Registration {
  /** As `emailField` returns it. */
  email: string;
  password: string;
  /** The browser's secret key; null for an API call without cookies. */
  browserKey: string | null;
  /** The caller's network, as `wideNetworkOf` returns it. */
  network: string;
}

function setPassword(
  trx: Transaction,
  account: Account,
  { passwordHash, registrationId, now }: { passwordHash: string; registrationId: string; now: number },
): Promise<Account> {
  return trx
    .updateTable('users')
    .set({
      password_hash: passwordHash,
      password_registration_id: registrationId,
      updated_at: toIso(now),
    })
    .where('id', '=', account.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Throws `RateLimited` when the request would need a mail that may not be sent now. */
function requireAllowance({ recentInBrowser, fullMs }: AnonymousAllowance): void {
  if (!recentInBrowser && fullMs > 0) throw codeTooSoon(fullMs);
}

/** Replaces the password of the registration that this browser is confirming. */
async function changePassword(
  trx: Transaction,
  limits: Pick<AccountsContext, 'keyring'> & { now: number },
  {
    account,
    browserKey,
    passwordHash,
  }: { account: Account; browserKey: string | null; passwordHash: string },
): Promise<void> {
  const live = await findLiveCode(trx, limits, { accountId: account.id, browserKey });
  const registrationId = live?.registration_id ?? null;
  if (registrationId !== null)
    await setPassword(trx, account, { passwordHash, registrationId, now: limits.now });
}

/**
 * Registers an account, or registers it again while its address is unconfirmed: the newest password counts, and is
 * kept only when a code of the same registration confirms the address. Response and work are the same for every
 * address. Throws `Invalid` for a common password or one of own words, `RateLimited` when no more mail may be sent to the address, and
 * `Unavailable` while mail is switched off or when the caller's network has too many registrations in flight.
 */
export async function registerWithPassword(
  context: AccountsContext,
  { email, password, browserKey, network }: Registration,
): Promise<{ pendingEmail: string }> {
  requireMail(context);
  requireForeignWords(password, { owner: { email }, field: 'password' });
  await requireUncommonPassword(password);
  const { db, clock, keyring } = context;
  const request = { email, network, browserKey };
  // Checked before hashing too, so that a caller without an allowance costs little.
  requireAllowance(await readAnonymousAllowance(db, { keyring, now: clock.now() }, request));
  const passwordHash = await context.passwords.hash(password, network);
  const due = await inTransaction(db, async (trx): Promise<DueDelivery[]> => {
    const now = clock.now();
    const limits = { keyring, now };
    const found = await findAccountByEmail(trx, email);
    const allowance = await readAnonymousAllowance(trx, limits, request);
    requireAllowance(allowance);
    const isConfirmed = found !== null && found.email_verified_at !== null;
    if (allowance.recentInBrowser) {
      // A double click or a corrected password within seconds: a mail is already being sent.
      if (found !== null && !isConfirmed)
        await changePassword(trx, limits, { account: found, browserKey, passwordHash });
      return [];
    }
    if (isConfirmed) return [await sendRegistrationNotice(trx, limits, { account: found, request })];

    const account = found ?? (await createAccount(trx, { email, username: email.split('@')[0] ?? '' }, now));
    const registrationId = newId();
    const registered = await setPassword(trx, account, { passwordHash, registrationId, now });
    const purpose = { registrationId, discord: null };
    return [await issueCode(trx, limits, { account: registered, browserKey, purpose, request })];
  });
  context.mail.notifyQueue(due);
  return { pendingEmail: email };
}
