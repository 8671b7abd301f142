import { z } from 'zod';
import { operation } from '../../operation';
import { codeField, newPasswordField, passwordField } from '../account-fields';
import type { AccountsContext } from '../accounts-context';
import { writeAudit } from '../../audit/write-audit';
import { toIso } from '../../clock';
import type { Transaction } from '../../database/schema';
import { inTransaction } from '../../database/transaction';
import { DomainError } from '../../errors';
import { PASSWORD_MAIL_LIFETIME_MS, addMail } from '../../mail/mails';
import type { DueDelivery } from '../../queues/catalogue';
import { invalidCode, tryCode } from '../codes/verification-codes';
import {
  codeKeyOf,
  refusal,
  requireProof,
  sendOwnerCode,
  SIGN_IN_CHANGE,
  wrongPassword,
  type Owner,
  type OwnerProof,
} from '../prove-owner';
import { endSessions, listedIdOf } from '../sessions';
import { requireUncommonPassword } from './common-passwords.server';
import { requireForeignWords } from './own-words';

interface PasswordChange extends OwnerProof {
  newPassword: string;
  network: string;
}

interface NewPassword {
  changer: Owner;
  passwordHash: string;
  now: number;
}

/** Stores the password, ends the other sessions, writes the audit log and mails the owner. */
async function store(
  trx: Transaction,
  { mail }: Pick<AccountsContext, 'mail'>,
  { changer: { account, session }, passwordHash, now }: NewPassword,
): Promise<{ ended: number; due: DueDelivery[] }> {
  await trx
    .updateTable('users')
    .set({ password_hash: passwordHash, updated_at: toIso(now) })
    .where('id', '=', account.id)
    .execute();
  const ended = await endSessions(trx, { accountId: account.id, except: [listedIdOf(session)] });
  const action = account.password_hash === null ? 'account.set_password' : 'account.change_password';
  await writeAudit(
    trx,
    { actor: { userId: account.id }, action, subject: account.id, details: { ended } },
    now,
  );
  const notice = {
    to: account.email,
    template: 'password_changed',
    expiresAt: now + PASSWORD_MAIL_LIFETIME_MS,
  } as const;
  return { ended, due: mail.enabled ? [await addMail(trx, notice, now)] : [] };
}

/**
 * Changes the password of an account, or sets its first one, and ends its other sessions. Requires the current password,
 * or a code of this session. Returns how many sessions ended. Throws `Invalid` for a wrong or missing current password or
 * code and for a new password that is common or easy to guess here, and `Unavailable` `busy`.
 */
async function changePassword(
  context: AccountsContext,
  changer: Owner,
  change: PasswordChange,
): Promise<{ ended: number }> {
  const { db, clock, keyring } = context;
  const { account } = changer;
  const { email, username, discord_username: discordName, password_hash: stored } = account;
  const { newPassword, network } = change;
  requireForeignWords(newPassword, {
    owner: { email, names: [username, discordName] },
    field: 'newPassword',
  });
  await requireUncommonPassword(newPassword, 'newPassword');
  const proof = requireProof(account, change, SIGN_IN_CHANGE);
  if (proof.kind === 'password') {
    if (proof.password === newPassword)
      throw refusal(
        'newPassword',
        'same_password',
        'This is your current password. Please choose another one.',
      );
    if (!(await context.passwords.verify(proof.password, proof.stored, network)))
      throw wrongPassword(SIGN_IN_CHANGE);
  }

  const passwordHash = await context.passwords.hash(newPassword, network);
  const outcome = await inTransaction(db, async (trx) => {
    const now = clock.now();
    const current = await trx
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', account.id)
      .executeTakeFirst();
    // Another session may have changed the password during hashing.
    if (current?.password_hash !== stored) return 'outdated' as const;
    if (proof.kind === 'code') {
      const browserKey = codeKeyOf(SIGN_IN_CHANGE, changer.session);
      const entry = { accountId: account.id, code: proof.code, browserKey };
      // Commits in any case: a rolled-back attempt would not be counted.
      if ((await tryCode(trx, { keyring, now }, entry)) === null) return 'wrong_code' as const;
    }
    return store(trx, context, { changer, passwordHash, now });
  });
  if (outcome === 'outdated') throw wrongPassword(SIGN_IN_CHANGE);
  if (outcome === 'wrong_code') throw invalidCode();
  context.mail.notifyQueue(outcome.due);
  return { ended: outcome.ended };
}

export const passwordOperations = {
  /** Changes the password, or sets the first one, and ends the other sessions. */
  change: operation({
    access: 'member',
    limit: 'passwordChange',
    refundsSuccess: true,
    input: z.object({
      newPassword: newPasswordField,
      currentPassword: passwordField.optional(),
      code: codeField.optional(),
    }),
    async run(
      context: AccountsContext,
      { account, session, network }: Owner & { network: string },
      { newPassword, currentPassword: password, code },
    ) {
      const change = { newPassword, password, code, network };
      const { ended } = await changePassword(context, { account, session }, change);
      return { ended, isFirst: account.password_hash === null };
    },
    sentence({ ended, isFirst }) {
      const saved = isFirst ? 'Your password is set.' : 'Your password is changed.';
      return ended === 0 ? saved : `${saved} You have been signed out everywhere else.`;
    },
  }),
  /** Mails the code for setting a first password. Throws `Conflict` `has_password`, and as `sendOwnerCode`. */
  sendCode: operation({
    access: 'member',
    limit: { name: 'resend', by: 'network' },
    async run(context: AccountsContext, { account, session }: Owner) {
      if (account.password_hash !== null)
        throw new DomainError('Conflict', {
          code: 'has_password',
          message: 'Your account has a password. To change it, enter your current one.',
        });
      await sendOwnerCode(context, { account, session }, SIGN_IN_CHANGE);
      return account.email;
    },
    sentence: (email) => `We have sent a code to ${email}. It is valid for ten minutes.`,
  }),
};
