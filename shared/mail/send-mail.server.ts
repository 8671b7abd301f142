import type { Updateable } from 'kysely';
import { fromIso, toIso } from '../clock';
import type { MailsTable } from '../database/tables/mails';
import { inTransaction } from '../database/transaction';
import { createOutboxSender, type OutboxSender, type SenderContext } from '../outbox/attempt';
import { SENT_TWICE } from '../outbox/uncertain';
import type { Keyring } from '../secrets.server';
import { messageIdOf, type Mailer } from '../channels/email/mailer.server';
import { mailBackoffMs, mailOutbox, type QueuedMail } from './mails';
import { paymentMailSchema, type PaymentMail } from './payment-mails';
import { renderMail, type MailContent } from './render-mail';

/** How one attempt ended. `cancelled`: the mail is no longer true, or its code no longer valid. */
export type MailOutcome =
  | { is: 'ok' }
  | { is: 'retry'; reason: string }
  | { is: 'uncertain'; reason: string }
  | { is: 'rejected'; status: number | null; reason: string }
  | { is: 'expired' }
  | { is: 'cancelled' };

export interface MailSenderContext extends SenderContext<QueuedMail, MailOutcome> {
  /** `null`: mail is switched off. */
  mailer: Mailer | null;
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

/** Whether the renewal that the mail asks to pay or to confirm is settled: paid, or no longer owed. */
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

function contentOf({ keyring }: MailSenderContext, row: QueuedMail): MailContent | null {
  if (
    row.template === 'already_registered' ||
    row.template === 'beta_approved' ||
    row.template === 'password_changed'
  )
    return { template: row.template };
  if (row.template !== 'code') return parsePaymentMail(row);
  const code = row.sealed_code === null ? null : keyring.open('mail', row.sealed_code);
  return code === null ? null : { template: 'code', code };
}

async function send(context: MailSenderContext, row: QueuedMail): Promise<MailOutcome> {
  if (fromIso(row.expires_at) <= context.clock.now()) return { is: 'expired' };
  for (const isObsolete of [isCodeInvalid, isApprovalRevoked, isRenewalSettled])
    if (await isObsolete(context, row)) return { is: 'cancelled' };
  if (context.mailer === null) return { is: 'rejected', status: null, reason: 'mail is switched off' };
  const content = contentOf(context, row);
  if (content === null)
    return { is: 'rejected', status: null, reason: 'the code was sealed with a secret that is gone' };
  return context.mailer.send({
    to: row.recipient,
    ...renderMail(content, context.appUrl),
    messageId: messageIdOf(row.id, context.appUrl),
    headers: { 'Auto-Submitted': 'auto-generated' },
  });
}

function repeatFor(row: QueuedMail, reason: string, now: number): Updateable<MailsTable> {
  const dueAt = now + mailBackoffMs(row.attempts);
  if (dueAt >= fromIso(row.expires_at)) return { status: 'dead', last_error: reason, sealed_code: null };
  return { status: 'pending', due_at: toIso(dueAt), last_error: reason };
}

function changeFor(
  row: QueuedMail,
  outcome: MailOutcome,
  endedAt: number,
  now: number,
): Updateable<MailsTable> {
  switch (outcome.is) {
    case 'ok':
      return {
        status: 'sent',
        sent_at: toIso(endedAt),
        last_status: 250,
        last_error: null,
        sealed_code: null,
      };
    case 'cancelled':
      return { status: 'cancelled', sealed_code: null };
    case 'expired':
      return {
        status: 'dead',
        last_error: row.last_error ?? 'it was too late to be of use',
        sealed_code: null,
      };
    case 'rejected':
      return { status: 'dead', last_status: outcome.status, last_error: outcome.reason, sealed_code: null };
    case 'uncertain':
      if (row.uncertain === 1)
        return { status: 'dead', last_error: `${outcome.reason}; ${SENT_TWICE}`, sealed_code: null };
      return { ...repeatFor(row, outcome.reason, now), uncertain: 1 };
    case 'retry':
      return repeatFor(row, outcome.reason, now);
  }
}

/** Sends the mails of the outbox. */
export function createMailSender(context: MailSenderContext): OutboxSender<QueuedMail> {
  return createOutboxSender(context, {
    outbox: mailOutbox,
    send: (row) => send(context, row),
    async record(row, outcome, endedAt) {
      const now = context.clock.now();
      const after = await inTransaction(context.db, (trx) =>
        mailOutbox.settle(trx, row, changeFor(row, outcome, endedAt, now), now),
      );
      return after?.status === 'pending' ? [after] : [];
    },
    describe: ({ id, template }) => ({ mailId: id, template }),
  });
}
