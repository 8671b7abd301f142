import type { Transaction } from 'kysely';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { newId } from '../ids';
import { NOTICE_MAIL_LASTS_MS } from '../mail/mail-timing';
import { addMail } from '../mail/outbox';
import type { DueDelivery } from '../queues/catalogue';
import { createAccount, findAccountByEmail, type Account } from './account';
import { requireMail, type AccountsContext } from './accounts-context';
import { countCodeRequest, readAllowance } from './code-allowance';
import { belongsToBrowser, findLiveCode, issueCode } from './verification-codes';

export interface Registration {
  /** As `emailField` writes it. */
  email: string;
  password: string;
  /** Known to this browser alone; null for a bare API call. */
  browserKey: string | null;
  /** The caller's network, as `wideNetworkOf` names it. */
  network: string;
}

function setPassword(
  trx: Transaction<Schema>,
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

/** Somebody registers with an address that has a confirmed account: only its owner hears of it. */
async function tellOwner(
  trx: Transaction<Schema>,
  { keyring }: AccountsContext,
  account: Account,
  now: number,
): Promise<DueDelivery> {
  await countCodeRequest(trx, { keyring, email: account.email, now });
  return addMail(
    trx,
    { to: account.email, template: 'already_registered', expiresAt: now + NOTICE_MAIL_LASTS_MS },
    now,
  );
}

/**
 * Begins an account, or begins it anew while its address is unconfirmed: the newest registration's password counts,
 * and stays only when a code of that registration confirms the address. The answer and the work are the same
 * whatever the address. Throws `Unavailable` while mail is switched off.
 */
export async function registerWithPassword(
  context: AccountsContext,
  { email, password, browserKey, network }: Registration,
): Promise<{ pendingEmail: string }> {
  requireMail(context);
  const { db, clock, keyring } = context;
  const passwordHash = await context.passwords.hash(password, network);
  const due = await inTransaction(db, async (trx): Promise<DueDelivery[]> => {
    const now = clock.now();
    const found = await findAccountByEmail(trx, email);
    const allowance = await readAllowance(trx, { keyring, email, now });
    if (allowance.exhausted) return [];
    if (found !== null && found.email_verified_at !== null)
      return [await tellOwner(trx, context, found, now)];

    const account = found ?? (await createAccount(trx, { email, username: email.split('@')[0] ?? '' }, now));
    const live = allowance.recent ? await findLiveCode(trx, { accountId: account.id, now }) : null;
    // The same browser again within seconds: a second click, or a password put right. The mail is on its way.
    if (
      live !== null &&
      browserKey !== null &&
      belongsToBrowser({ keyring }, live, browserKey) &&
      live.registration_id !== null &&
      live.registration_id === account.password_registration_id
    ) {
      await setPassword(trx, account, { passwordHash, registrationId: live.registration_id, now });
      return [];
    }
    const registrationId = newId();
    const registered = await setPassword(trx, account, { passwordHash, registrationId, now });
    const meaning = { registrationId, discord: null };
    return [await issueCode(trx, { keyring, now }, { account: registered, browserKey, meaning })];
  });
  context.mail.wake(due);
  return { pendingEmail: email };
}
