import { z } from 'zod';
import type { Account, Session, Viewer } from '../accounts/account';
import { codeField, passwordField } from '../accounts/account-fields';
import { requireMail, type AccountsContext } from '../accounts/accounts-context';
import { proveOwner, sendOwnerCode, type ProofRule } from '../accounts/prove-owner';
import { counted } from '../format';
import { formatUkTime } from '../mail/uk-time';
import { operation, type Admin } from '../operation';
import type { PaymentsContext } from '../payments/payments-context';
import type { Queues } from '../queues/connection.server';
import { requestExport } from './data-exports';
import { requestDeletion, type DeletionContext, type PendingDeletion } from './request-deletion.server';

type ExportContext = Pick<AccountsContext, 'db' | 'clock' | 'mail'> & { queues: Queues | null };

const DELETION: ProofRule = {
  purpose: 'deletion',
  passwordField: 'password',
  passwordMissing: {
    code: 'password_required',
    message: 'Please enter your password or request a code.',
  },
  passwordWrong: 'This is not your password.',
  codeMissing: 'Please enter the code from the email. If you have none, request one.',
  codeAlwaysCounts: true,
};

/** What members do with the data that is held about them. */
export const personalDataOperations = {
  requestExport: operation({
    access: 'member',
    limit: 'dataExport',
    run(context: ExportContext, { account }: Viewer) {
      requireMail(context);
      return requestExport(context, { accountId: account.id, actor: { userId: account.id } });
    },
    sentence: ({ isNew }) =>
      isNew
        ? 'We are preparing the archive. In a few minutes we will email you a link, which works once, for one day.'
        : 'The archive is already being prepared. We will email you the link in a few minutes.',
  }),
  /** Mails a code with which the deletion of the account is confirmed. */
  sendDeletionCode: operation({
    access: 'member',
    limit: { name: 'resend', by: 'network' },
    async run(context: AccountsContext, { account, session }: Viewer) {
      await sendOwnerCode(context, { account, session }, DELETION);
      return account.email;
    },
    sentence: (email) => `We have sent a code to ${email}. It is valid for ten minutes.`,
  }),
  /** Begins the deletion of the account. Needs its password, or a code of `sendDeletionCode`. */
  requestDeletion: operation({
    access: 'member',
    limit: 'passwordChange',
    refundsSuccess: true,
    input: z.object({ password: passwordField.optional(), code: codeField.optional() }),
    async run(
      context: AccountsContext & { payments: PaymentsContext },
      { account, session, network }: { account: Account; session: Session; network: string },
      { password, code },
    ) {
      await proveOwner(context, { account, session }, { rule: DELETION, password, code, network });
      return requestDeletion(context, { accountId: account.id, actor: { userId: account.id } });
    },
    sentence: ({ deleteAfter }) => `Your account will be deleted on ${formatUkTime(deleteAfter)}.`,
  }),
};

const managed = z.object({ id: z.string().max(64) });

function describeDeletion({ email, deleteAfter, unusedDays, isSubscriptionEnded }: PendingDeletion): string {
  const first = `${email} is signed out and will be deleted on ${formatUkTime(deleteAfter)}; an email tells the member how to keep it.`;
  if (!isSubscriptionEnded)
    return `${first} Its subscription could not be ended yet; we try again every minute.`;
  return unusedDays === 0
    ? first
    : `${first} Its subscription has ended with ${counted(unusedDays, 'paid day')} left. Refunds are made in Stripe’s dashboard.`;
}

/** What admins and the operator do on request of a member. */
export const managedDataOperations = {
  requestExport: operation({
    access: 'admin',
    limit: 'accountWrite',
    input: managed,
    run(context: ExportContext, { actor }: Admin, { id: accountId }) {
      requireMail(context);
      return requestExport(context, { accountId, actor });
    },
    sentence: ({ isNew }) =>
      isNew
        ? 'The archive is being prepared. The link will be emailed to the member.'
        : 'The archive is already being prepared. The link will be emailed to the member.',
  }),
  requestDeletion: operation({
    access: 'admin',
    limit: 'accountWrite',
    input: managed,
    run: (context: DeletionContext, { actor }: Admin, { id: accountId }) =>
      requestDeletion(context, { accountId, actor }),
    sentence: describeDeletion,
  }),
};
