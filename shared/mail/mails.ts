import type { Selectable, Transaction } from 'kysely';
import { toIso, DAY, HOUR, type Clock } from '../clock';
import type { Schema } from '../database/schema';
import type { MailsTable } from '../database/tables/mails';
import { toDue } from '../outbox/define-outbox';
import { OUTBOXES } from '../outbox/outboxes';
import type { DueDelivery } from '../queues/catalogue';
import type { Queues } from '../queues/connection.server';
import { enqueueDue } from '../queues/enqueue';
import type { AccountDeletionMail } from './account-deletion-mail';
import type { DataExportMail } from './data-export-mail';
import type { NewBrowserMail } from './new-browser-mail';
import type { PasskeyMail } from './passkey-mail';
import type { PaymentMail } from './payment-mails';

/** A notice is tried for this long; a code for as long as it is valid. */
export const NOTICE_MAIL_LIFETIME_MS = HOUR;
/** Longer than typical outages of a mail server. */
export const BETA_MAIL_LIFETIME_MS = DAY;
/** As long: a notice about a changed password still warns its owner hours later. */
export const PASSWORD_MAIL_LIFETIME_MS = DAY;
/** As long, for the same reason. */
export const SIGN_IN_MAIL_LIFETIME_MS = DAY;

export type QueuedMail = Selectable<MailsTable>;

/** The outbox of mails to people. */
export const mailOutbox = OUTBOXES.mail;

/** Longer than typical outages of a mail server: a receipt is of use for days. */
export const PAYMENT_MAIL_LIFETIME_MS = 3 * DAY;

export interface NewMail {
  to: string;
  template: MailsTable['template'];
  code?: { verificationCodeId: string; sealed: string };
  /** The data of the mail's template, if it needs any. */
  facts?: PaymentMail | NewBrowserMail | DataExportMail | PasskeyMail | AccountDeletionMail;
  /** Epoch ms; the mail is useless afterwards. */
  expiresAt: number;
}

/** Adds a mail in the transaction of the change it reports. Pass the result to `MailOutbox.notifyQueue` after the commit. */
export async function addMail(
  trx: Transaction<Schema>,
  { to, template, code, facts, expiresAt }: NewMail,
  now: number,
): Promise<DueDelivery> {
  const row = mailOutbox.newRow({ dueAt: now, expiresAt, owner: null, now });
  await trx
    .insertInto('mails')
    .values({
      ...row,
      recipient: to,
      template,
      verification_code_id: code?.verificationCodeId ?? null,
      sealed_code: code?.sealed ?? null,
      data: facts === undefined ? null : JSON.stringify(facts),
    })
    .execute();
  return toDue(row);
}

/** Cancels pending mails whose codes are no longer valid. */
export async function cancelCodeMails(
  trx: Transaction<Schema>,
  verificationCodeIds: readonly string[],
  now: number,
): Promise<void> {
  if (verificationCodeIds.length === 0) return;
  await trx
    .updateTable('mails')
    .set({ status: 'cancelled', sealed_code: null, updated_at: toIso(now) })
    .where('verification_code_id', 'in', [...verificationCodeIds])
    .where('status', '=', 'pending')
    .execute();
}

/** Tells the daemon about new mails. */
export interface MailOutbox {
  /** False while mail is switched off; no code can be sent then. */
  enabled: boolean;
  /** Adds the jobs that send the mails, after the commit. While Redis is offline the daemon's sweep sends them in a second. */
  notifyQueue(due: readonly DueDelivery[]): void;
}

/** `queues`: null when this process has no Redis. */
export function createMailOutbox({
  enabled,
  queues,
  clock,
}: {
  enabled: boolean;
  queues: Queues | null;
  clock: Clock;
}): MailOutbox {
  return {
    enabled,
    notifyQueue(due) {
      if (queues === null || !queues.isReady()) return;
      enqueueDue(queues, 'mail', due, clock.now()).catch(() => undefined);
    },
  };
}
