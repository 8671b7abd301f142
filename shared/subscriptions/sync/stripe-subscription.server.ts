import type Stripe from 'stripe';
import { toIso } from '../../clock';
import type { SubscriptionInvoicesTable } from '../../database/tables/payments/subscriptions';
import { idOf } from '../../payments/our-objects';
import type { StripeAccess } from '../../payments/payments-context';
import { callStripe, findAtStripe } from '../../payments/stripe-errors';
import { GRACE_MS, isCanceling, type StoredSubscription } from '../membership';
import { previewRenewal, type RenewalPreview } from './preview-renewal.server';

const STATUSES = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
] as const;
const PAGE = 100;

/** A subscription as Stripe has it now. */
export interface SubscriptionReading {
  subscription: Stripe.Subscription;
  /** All invoices of the subscription. */
  invoices: Stripe.Invoice[];
  /** The payment of the latest invoice waits for the member's confirmation (strong customer authentication). */
  waitsForConfirmation: boolean;
  /** The next renewal's charge. Null: unknown. Undefined: not read, because a member waits. */
  renewal: RenewalPreview | null | undefined;
}

export type StripeTerms = Pick<
  StoredSubscription,
  | 'status'
  | 'current_period_start'
  | 'current_period_end'
  | 'cancel_at_period_end'
  | 'cancel_at'
  | 'cancel_reason'
  | 'grace_until'
  | 'latest_invoice_id'
  | 'needs_confirmation'
  | 'ended_at'
  | 'renewal_pence'
  | 'renewal_at'
  | 'payments_paused'
  | 'payments_resume_at'
>;

export type InvoiceTerms = Pick<
  SubscriptionInvoicesTable,
  'id' | 'status' | 'billing_reason' | 'amount_due_pence' | 'amount_paid_pence' | 'attempt_count' | 'paid_at'
> & { needs_confirmation: 0 | 1; created_at: string };

/** Converts Stripe's epoch seconds to a stored time. */
const fromSeconds = (seconds: number): string => toIso(seconds * 1_000);

async function listInvoices({ client }: StripeAccess, subscription: string): Promise<Stripe.Invoice[]> {
  const invoices: Stripe.Invoice[] = [];
  for (;;) {
    const last = invoices.at(-1);
    const page = await callStripe(() =>
      client.invoices.list({
        subscription,
        limit: PAGE,
        expand: ['data.payments'],
        ...(last === undefined ? {} : { starting_after: last.id }),
      }),
    );
    invoices.push(...page.data);
    if (!page.has_more) return invoices;
  }
}

/**
 * Whether the payment of an invoice needs the member: the bank requires a confirmation, or refused the renewal without
 * one (docs.stripe.com/billing/subscriptions/overview, "Payment status"; docs.stripe.com/declines/codes).
 */
async function waitsForMember({ client }: StripeAccess, invoice: Stripe.Invoice): Promise<boolean> {
  if (invoice.status !== 'open') return false;
  const payments = invoice.payments?.data ?? [];
  const payment = payments.find(({ is_default }) => is_default) ?? payments[0];
  const id = idOf(payment?.payment.payment_intent);
  if (id === null) return false;
  const intent = await findAtStripe(() => client.paymentIntents.retrieve(id));
  return (
    intent?.status === 'requires_action' ||
    (intent?.status === 'requires_payment_method' &&
      intent.last_payment_error?.code === 'authentication_required')
  );
}

/** Reads the invoices and the next renewal of a subscription. Throws `BadGateway`, `Unavailable`. */
export async function readAround(
  access: StripeAccess,
  subscription: Stripe.Subscription,
): Promise<SubscriptionReading> {
  const [invoices, renewal] = await Promise.all([
    listInvoices(access, subscription.id),
    previewRenewal(access, subscription),
  ]);
  const latest = invoices.find(({ id }) => id === idOf(subscription.latest_invoice));
  // The first payment is confirmed during checkout.
  const asksMember = latest !== undefined && subscription.status !== 'incomplete';
  return {
    subscription,
    invoices,
    waitsForConfirmation: asksMember && (await waitsForMember(access, latest)),
    renewal,
  };
}

function statusOf({ id, status }: Stripe.Subscription): StripeTerms['status'] {
  const known = STATUSES.find((one) => one === status);
  if (known === undefined) throw new Error(`Stripe gives subscription ${id} the unknown status "${status}"`);
  return known;
}

/**
 * How Stripe ends a subscription: with its period, or by a date, which the customer portal sets for flexible billing
 * (docs.stripe.com/billing/subscriptions/billing-mode/compare, "Scheduled subscription cancellation").
 */
export function cancellationOf({
  cancel_at_period_end: flag,
  cancel_at: date,
}: Stripe.Subscription): Pick<StripeTerms, 'cancel_at_period_end' | 'cancel_at'> {
  return { cancel_at_period_end: flag ? 1 : 0, cancel_at: flag || date === null ? null : fromSeconds(date) };
}

/** Whether an invoice pays for a whole period: the first, a renewal, or a change that begins a new period. */
function paysForPeriod({ billing_reason: reason, lines }: Stripe.Invoice): boolean {
  if (reason === 'subscription_create' || reason === 'subscription_cycle') return true;
  return lines.data.some(({ amount, parent }) => {
    const item = parent?.subscription_item_details;
    return amount > 0 && item != null && !item.proration;
  });
}

/**
 * The end of the grace (stored time): it begins with the oldest invoice since which no period was paid. Null while the
 * current period is paid: an unpaid invoice for a change of plan or a single item does not take it away.
 */
function graceUntil({ subscription, invoices }: SubscriptionReading): string | null {
  if (subscription.status !== 'past_due' && subscription.status !== 'unpaid') return null;
  let since: number | null = null;
  for (const { status, created } of invoices.filter(paysForPeriod).sort((a, b) => b.created - a.created)) {
    if (status === 'paid' || status === 'void') break;
    since = created;
  }
  return since === null ? null : toIso(since * 1_000 + GRACE_MS);
}

/** The columns of a subscription that Stripe decides. */
export function termsOf(reading: SubscriptionReading): StripeTerms {
  const { subscription, waitsForConfirmation, renewal } = reading;
  const { pause_collection: pause } = subscription;
  const status = statusOf(subscription);
  const item = subscription.items.data[0];
  const cancellation = cancellationOf(subscription);
  return {
    status,
    current_period_start: item === undefined ? null : fromSeconds(item.current_period_start),
    current_period_end: item === undefined ? null : fromSeconds(item.current_period_end),
    ...cancellation,
    cancel_reason:
      isCanceling(cancellation) || status === 'canceled'
        ? (subscription.cancellation_details?.comment ?? null)
        : null,
    grace_until: graceUntil(reading),
    latest_invoice_id: idOf(subscription.latest_invoice),
    needs_confirmation: waitsForConfirmation ? 1 : 0,
    ended_at: subscription.ended_at === null ? null : fromSeconds(subscription.ended_at),
    renewal_pence: renewal?.pence ?? null,
    renewal_at: renewal == null ? null : fromSeconds(renewal.at),
    payments_paused: pause === null ? 0 : 1,
    payments_resume_at: pause?.resumes_at == null ? null : fromSeconds(pause.resumes_at),
  };
}

/** The invoices as rows. An invoice without a status is a draft. */
export function invoiceTermsOf({
  subscription,
  invoices,
  waitsForConfirmation,
}: SubscriptionReading): InvoiceTerms[] {
  const latest = idOf(subscription.latest_invoice);
  return invoices.map((invoice) => ({
    id: invoice.id,
    status: (invoice.status ?? 'draft') as InvoiceTerms['status'],
    billing_reason: invoice.billing_reason,
    amount_due_pence: invoice.amount_due,
    amount_paid_pence: invoice.amount_paid,
    attempt_count: invoice.attempt_count,
    needs_confirmation: waitsForConfirmation && invoice.id === latest ? 1 : 0,
    paid_at:
      invoice.status_transitions.paid_at === null ? null : fromSeconds(invoice.status_transitions.paid_at),
    created_at: fromSeconds(invoice.created),
  }));
}
