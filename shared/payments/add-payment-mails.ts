import type { Transaction } from 'kysely';
import type { Schema } from '../database/schema';
import { addMail, PAYMENT_MAIL_LIFETIME_MS } from '../mail/mails';
import type { PaymentMail } from '../mail/payment-mails';
import type { DueDelivery } from '../queues/catalogue';

/** Adds mails about payments to an account's address, in the transaction of the change that they report. */
export async function addPaymentMails(
  trx: Transaction<Schema>,
  { accountId, mails, now }: { accountId: string; mails: readonly PaymentMail[]; now: number },
): Promise<DueDelivery[]> {
  if (mails.length === 0) return [];
  const { email } = await trx
    .selectFrom('users')
    .select('email')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const due: DueDelivery[] = [];
  for (const payment of mails) {
    const mail = { to: email, template: payment.template, payment };
    due.push(await addMail(trx, { ...mail, expiresAt: now + PAYMENT_MAIL_LIFETIME_MS }, now));
  }
  return due;
}
