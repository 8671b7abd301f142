import { writeAudit, type Actor } from '../audit/write-audit';
import { MINUTE, toIso } from '../clock';
import type { Database, Transaction } from '../database/schema';
import { inTransaction, type WriteContext } from '../database/transaction';
import { DomainError } from '../errors';
import { addMail, PAYMENT_MAIL_LIFETIME_MS, type MailOutbox } from '../mail/mails';
import type { PaymentMail } from '../mail/payment-mails';
import { receiptOf } from '../subscriptions/sync/subscription-mails';

/** A receipt is sent again at most once in this time. */
const RESEND_WAIT_MS = MINUTE;
const MOST_LISTED = 10;

/** A receipt that can be sent again. */
export interface Receipt {
  /** Of the purchase, or Stripe's of the invoice. */
  id: string;
  packageName: string;
  amountPence: number;
  /** ISO. */
  paidAt: string;
  mail: PaymentMail;
}

async function listTokenReceipts(db: Database, accountId: string): Promise<Receipt[]> {
  const purchases = await db
    .selectFrom('token_purchases')
    .select(['id', 'package_name', 'token_count', 'amount_pence', 'completed_at', 'created_at'])
    .where('user_id', '=', accountId)
    .where('status', '=', 'completed')
    .orderBy('created_at', 'desc')
    .limit(MOST_LISTED)
    .execute();
  return purchases.map((row) => {
    const facts = {
      packageName: row.package_name,
      amountPence: row.amount_pence,
      paidAt: row.completed_at ?? row.created_at,
    };
    return {
      id: row.id,
      ...facts,
      mail: { template: 'tokens_bought', tokenCount: row.token_count, ...facts },
    };
  });
}

/** Of each subscription the receipt of the newest payment: only that is for the plan that the subscription has now. */
async function listPlanReceipts(db: Database, accountId: string): Promise<Receipt[]> {
  const invoices = await db
    .selectFrom('subscription_invoices as invoice')
    .innerJoin('subscriptions', 'subscriptions.id', 'invoice.subscription_id')
    .innerJoin('subscription_packages as package', 'package.id', 'subscriptions.package_id')
    .select([
      'invoice.id',
      'invoice.subscription_id',
      'invoice.status as invoice_status',
      'invoice.billing_reason',
      'invoice.amount_paid_pence',
      'invoice.paid_at',
      'invoice.created_at',
      'package.name',
      'subscriptions.status',
      'subscriptions.grace_until',
      'subscriptions.cancel_at_period_end',
      'subscriptions.cancel_at',
      'subscriptions.current_period_end',
    ])
    .where('subscriptions.user_id', '=', accountId)
    .where('invoice.status', '=', 'paid')
    .orderBy('invoice.created_at', 'desc')
    .orderBy('invoice.id', 'desc')
    .execute();
  const seen = new Set<string>();
  return invoices.flatMap((row): Receipt[] => {
    if (seen.has(row.subscription_id)) return [];
    seen.add(row.subscription_id);
    const invoice = { ...row, status: row.invoice_status };
    const mail = receiptOf({ packageName: row.name, after: row }, { before: null, after: invoice });
    if (mail?.template !== 'subscription_paid') return [];
    const { packageName, amountPence, paidAt } = mail;
    return [{ id: row.id, packageName, amountPence, paidAt, mail }];
  });
}

/** The receipts of an account that can be sent again, the newest first. */
export async function listReceipts(db: Database, { accountId }: { accountId: string }): Promise<Receipt[]> {
  const all = [...(await listTokenReceipts(db, accountId)), ...(await listPlanReceipts(db, accountId))];
  return all.sort((a, b) => b.paidAt.localeCompare(a.paidAt)).slice(0, MOST_LISTED);
}

async function requireNotJustSent(
  trx: Transaction,
  { to, data, now }: { to: string; data: string; now: number },
): Promise<void> {
  const sent = await trx
    .selectFrom('mails')
    .select('id')
    .where('created_at', '>', toIso(now - RESEND_WAIT_MS))
    .where('recipient', '=', to)
    .where('data', '=', data)
    .executeTakeFirst();
  if (sent === undefined) return;
  const message = 'This receipt was sent within the last minute.';
  throw new DomainError('Conflict', { code: 'receipt_just_sent', message });
}

/**
 * Mails a receipt to its account again, and writes the audit log. Returns the address. Throws `NotFound`, `Conflict`
 * `receipt_just_sent`, and `Unavailable` while mail is switched off.
 */
export async function resendReceipt(
  { db, clock, mail }: WriteContext & { mail: MailOutbox },
  { accountId, receiptId, actor }: { accountId: string; receiptId: string; actor: Actor },
): Promise<{ email: string }> {
  if (!mail.enabled)
    throw new DomainError('Unavailable', {
      code: 'mail_unavailable',
      message: 'We cannot send email right now. Please try again later.',
    });
  const { email, due } = await inTransaction(db, async (trx) => {
    const account = await trx
      .selectFrom('users')
      .select('email')
      .where('id', '=', accountId)
      .executeTakeFirst();
    const receipt = (await listReceipts(trx, { accountId })).find(({ id }) => id === receiptId);
    if (account === undefined || receipt === undefined)
      throw new DomainError('NotFound', {
        code: 'receipt_not_found',
        message: 'This account has no such receipt.',
      });
    const now = clock.now();
    const to = account.email;
    await requireNotJustSent(trx, { to, data: JSON.stringify(receipt.mail), now });
    const { template } = receipt.mail;
    const expiresAt = now + PAYMENT_MAIL_LIFETIME_MS;
    const queued = await addMail(trx, { to, template, facts: receipt.mail, expiresAt }, now);
    const audit = { actor, action: 'receipt.resend', subject: accountId, details: { receipt: receiptId } };
    await writeAudit(trx, audit, now);
    return { email: to, due: queued };
  });
  mail.notifyQueue([due]);
  return { email };
}
