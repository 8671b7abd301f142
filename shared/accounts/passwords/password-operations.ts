import { z } from 'zod';
import { operation } from '../../operation';
import { codeField, newPasswordField, passwordField } from '../account-fields';
import type { AccountsContext } from '../accounts-context';
import { changePassword, sendPasswordCode, type PasswordChanger } from './change-password';

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
      { account, session, network }: PasswordChanger & { network: string },
      { newPassword, currentPassword = null, code = null },
    ) {
      const change = { newPassword, currentPassword, code, network };
      const { ended } = await changePassword(context, { account, session }, change);
      return { ended, isFirst: account.password_hash === null };
    },
    sentence({ ended, isFirst }) {
      const saved = isFirst ? 'Your password is set.' : 'Your password is changed.';
      return ended === 0 ? saved : `${saved} You are signed out everywhere else.`;
    },
  }),
  /** Mails the code with which an account without a password sets one. */
  sendCode: operation({
    access: 'member',
    limit: { name: 'resend', by: 'network' },
    async run(context: AccountsContext, { account, session }: PasswordChanger) {
      await sendPasswordCode(context, { account, session });
      return account.email;
    },
    sentence: (email) => `A code is on its way to ${email}. It works for ten minutes.`,
  }),
};
