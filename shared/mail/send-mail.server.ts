import { createOutboxSender, type OutboxSender, type SenderContext } from '../outbox/outbox-sender';
import type { Outcome } from '../outbox/outcome';
import type { Keyring } from '../secrets.server';
import { messageIdOf, type Mailer } from '../channels/email/mailer.server';
import { accountDeletionMailSchema, keepAccountUrl } from './account-deletion-mail';
import { dataExportMailSchema, dataExportUrl } from './data-export-mail';
import { mailOutbox, type QueuedMail } from './mails';
import { endSessionUrl, newBrowserMailSchema } from './new-browser-mail';
import { passkeyMailSchema } from './passkey-mail';
import { paymentMailSchema, type PaymentMail } from './payment-mails';
import { renderMail, type MailContent } from './render-mail';

export interface MailSenderContext extends SenderContext<QueuedMail, Outcome> {
  /** `null`: mail is switched off. Sign-in codes have separate connections, so that other mail does not delay them. */
  mailers: Record<'codes' | 'others', Mailer | null>;
  keyring: Keyring;
  appUrl: string;
}

async function isCodeInvalid({ db }: MailSenderContext, row: QueuedMail): Promise<boolean> {
  if (row.template !== 'code') return false;
  const code = await db
    .selectFrom('verification_codes')
    .select('status')
    .where('id', '=', row.verification_code_id)
    .executeTakeFirst();
  return code?.status !== 'live';
}

/** Whether the approval was revoked before the mail was sent. */
async function isApprovalRevoked({ db }: MailSenderContext, row: QueuedMail): Promise<boolean> {
  if (row.template !== 'beta_approved') return false;
  const account = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', row.recipient)
    .where('beta_approved_at', 'is not', null)
    .executeTakeFirst();
  return account === undefined;
}

/** Whether the renewal in the mail is settled: paid, or no longer owed. */
async function isRenewalSettled({ db }: MailSenderContext, row: QueuedMail): Promise<boolean> {
  if (row.template !== 'renewal_confirmation' && row.template !== 'renewal_failed') return false;
  const mail = parsePaymentMail(row);
  if (!('invoiceId' in mail)) return false;
  const invoice = await db
    .selectFrom('subscription_invoices')
    .select('status')
    .where('id', '=', mail.invoiceId)
    .executeTakeFirst();
  return invoice !== undefined && invoice.status !== 'open';
}

function parsePaymentMail(row: QueuedMail): PaymentMail {
  return paymentMailSchema.parse(JSON.parse(row.data ?? 'null'));
}

function contentOf({ keyring, appUrl }: MailSenderContext, row: QueuedMail): MailContent | null {
  if (
    row.template === 'already_registered' ||
    row.template === 'beta_approved' ||
    row.template === 'password_changed'
  )
    return { template: row.template };
  if (row.template === 'new_browser') {
    const facts = newBrowserMailSchema.parse(JSON.parse(row.data ?? 'null'));
    return { ...facts, url: endSessionUrl({ keyring, appUrl }, facts) };
  }
  if (row.template === 'data_export') {
    const facts = dataExportMailSchema.parse(JSON.parse(row.data ?? 'null'));
    return { ...facts, url: dataExportUrl({ keyring, appUrl }, facts) };
  }
  if (row.template === 'passkey') return passkeyMailSchema.parse(JSON.parse(row.data ?? 'null'));
  if (row.template === 'account_deletion') {
    const facts = accountDeletionMailSchema.parse(JSON.parse(row.data ?? 'null'));
    return { ...facts, url: keepAccountUrl({ keyring, appUrl }, facts) };
  }
  if (row.template !== 'code') return parsePaymentMail(row);
  const code = row.sealed_code === null ? null : keyring.open('mail', row.sealed_code);
  return code === null ? null : { template: 'code', code };
}

async function send(context: MailSenderContext, row: QueuedMail): Promise<Outcome> {
  for (const isObsolete of [isCodeInvalid, isApprovalRevoked, isRenewalSettled])
    if (await isObsolete(context, row)) return { kind: 'cancelled' };
  const mailer = context.mailers[row.template === 'code' ? 'codes' : 'others'];
  if (mailer === null) return { kind: 'rejected', reason: 'mail is switched off' };
  const content = contentOf(context, row);
  if (content === null) return { kind: 'rejected', reason: 'the code was sealed with a secret that is gone' };
  return mailer.send({
    to: row.recipient,
    ...renderMail(content, context.appUrl),
    messageId: messageIdOf(row.id, context.appUrl),
    headers: { 'Auto-Submitted': 'auto-generated' },
  });
}

/** Sends the mails of the outbox. */
export function createMailSender(context: MailSenderContext): OutboxSender<QueuedMail> {
  return createOutboxSender<'mails', Outcome>(context, {
    outbox: mailOutbox,
    send: (row) => send(context, row),
    // A code can be decrypted only while its mail may still be sent.
    adjust: async (_trx, attempts) =>
      attempts.map(({ change }) => (change.status === 'pending' ? change : { ...change, sealed_code: null })),
    describe: ({ id, template }) => ({ mailId: id, template }),
  });
}
