import { fromIso } from '../../clock';
import type { PaymentMail } from '../../mail/payment-mails';
import { isCanceling } from '../membership';
import type { InvoiceTerms, StripeTerms } from './stripe-subscription.server';

/** A subscription before and after a sync. Null: it was not stored. */
export interface SubscriptionChange {
  packageName: string;
  before: Pick<StripeTerms, 'status' | 'grace_until'> | null;
  after: StripeTerms;
  /** Whether Stripe ended it because a payment failed. */
  endedUnpaid: boolean;
  invoices: { before: StoredInvoice | null; after: InvoiceTerms }[];
}

type StoredInvoice = Pick<InvoiceTerms, 'status' | 'attempt_count' | 'needs_confirmation'>;

const PAID_REASONS: Record<string, 'first' | 'renewal' | 'change'> = {
  subscription_create: 'first',
  subscription_cycle: 'renewal',
  subscription_update: 'change',
};

type Standing = Pick<StripeTerms, 'status' | 'grace_until'> | null;

/** Whether a subscription still gives Pro: `unpaid` without a grace period concerns an invoice other than the renewal. */
function isRunning(terms: Standing): boolean {
  if (terms === null) return false;
  const { status, grace_until: grace } = terms;
  if (status === 'unpaid') return grace === null;
  return status === 'active' || status === 'trialing' || status === 'past_due';
}

/** The receipt of an invoice that has become paid; null for others. `before` null: as if it had just been paid. */
export function receiptOf(
  {
    packageName,
    after,
  }: {
    packageName: string;
    after: Pick<
      StripeTerms,
      'status' | 'grace_until' | 'cancel_at_period_end' | 'cancel_at' | 'current_period_end'
    >;
  },
  invoice: {
    before: Pick<InvoiceTerms, 'status'> | null;
    after: Pick<InvoiceTerms, 'status' | 'billing_reason' | 'amount_paid_pence' | 'paid_at' | 'created_at'>;
  },
): PaymentMail | null {
  const reason = PAID_REASONS[invoice.after.billing_reason ?? ''];
  if (reason === undefined || invoice.after.status !== 'paid' || invoice.before?.status === 'paid')
    return null;
  return {
    template: 'subscription_paid',
    reason,
    packageName,
    amountPence: invoice.after.amount_paid_pence,
    paidAt: invoice.after.paid_at ?? invoice.after.created_at,
    renewsAt: isCanceling(after) || !isRunning(after) ? null : after.current_period_end,
  };
}

/** The mail about an unpaid renewal: once when it first fails, and once when the bank later requires a confirmation. */
function failureOf(
  { packageName, after }: SubscriptionChange,
  { before, after: invoice }: SubscriptionChange['invoices'][number],
  now: number,
): PaymentMail | null {
  if (invoice.billing_reason !== 'subscription_cycle' || invoice.status !== 'open') return null;
  if (!isRunning(after) || invoice.attempt_count <= (before?.attempt_count ?? 0)) return null;
  const needsConfirmation = invoice.needs_confirmation === 1;
  const isFirst = (before?.attempt_count ?? 0) === 0;
  if (!isFirst && (!needsConfirmation || before?.needs_confirmation === 1)) return null;
  const { grace_until: graceUntil } = after;
  return {
    template: needsConfirmation ? 'renewal_confirmation' : 'renewal_failed',
    packageName,
    invoiceId: invoice.id,
    amountPence: invoice.amount_due_pence - invoice.amount_paid_pence,
    graceUntil: graceUntil !== null && fromIso(graceUntil) > now ? graceUntil : null,
  };
}

/** The mails that report a change of a subscription. Each change is reported once, because the change is stored. */
export function mailsFor(change: SubscriptionChange, now: number): PaymentMail[] {
  const mails = change.invoices
    .flatMap((invoice) => [receiptOf(change, invoice), failureOf(change, invoice, now)])
    .filter((mail) => mail !== null);
  const { before, after, packageName, endedUnpaid } = change;
  if (isRunning(before) && !isRunning(after) && (after.status === 'canceled' || after.status === 'unpaid'))
    mails.push({ template: 'subscription_ended', packageName, reason: endedUnpaid ? 'unpaid' : 'canceled' });
  return mails;
}
