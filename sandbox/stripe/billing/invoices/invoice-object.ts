import type Stripe from 'stripe';
import { idOf } from '../../store';
import type { BillingStore } from '../billing-store';
import { buildLine, type LineTerms } from './invoice-lines';
import type { Period } from '../subscriptions/period';

/** Stripe refuses smaller card payments (Stripe docs, "Supported currencies", minimum charge amounts: £0.30). */
const MINIMUM_CHARGE = 30;

export interface InvoiceTerms {
  subscription: Stripe.Subscription;
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming';
  lines: LineTerms[];
  /** Of the invoice: the time in which its items came up, which for a renewal is the period before. */
  period: Period;
  prorationDate?: number;
}

/** A draft that is not stored yet, with the amounts for the customer's balance as it is now. */
export function buildInvoice(store: BillingStore, id: string, terms: InvoiceTerms): Stripe.Invoice {
  const { subscription, period } = terms;
  const customer = store.require('customer', idOf(subscription.customer)!);
  const lines = terms.lines.map((line) => buildLine(store, id, line));
  const invoice: Stripe.Invoice = {
    id,
    object: 'invoice',
    account_country: 'GB',
    account_name: 'Sandbox',
    account_tax_ids: null,
    amount_due: 0,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: 0,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: terms.reason,
    collection_method: 'charge_automatically',
    created: store.now(),
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: { object: 'list', data: lines, has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: {
        metadata: { ...subscription.metadata },
        subscription: subscription.id,
        ...(terms.prorationDate !== undefined && { subscription_proration_date: terms.prorationDate }),
      },
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: period.end,
    period_start: period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: 0,
    subtotal_excluding_tax: 0,
    test_clock: null,
    total: 0,
    total_discount_amounts: [],
    total_excluding_tax: 0,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
  Object.assign(invoice, amountsOf(invoice, customer.balance));
  return invoice;
}

/**
 * The amounts of an unpaid invoice for a customer's balance (negative: credit), and the balance that it leaves. Credit
 * pays first; a rest below the smallest charge goes to the balance (Stripe API, "The Invoice object", amount_due).
 */
export function amountsOf(invoice: Stripe.Invoice, balance: number) {
  const total = invoice.lines.data.reduce((sum, line) => sum + line.amount, 0);
  const net = total + balance;
  const due = net < MINIMUM_CHARGE ? 0 : net;
  return {
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
    starting_balance: balance,
    amount_due: due,
    amount_remaining: due,
  };
}

/** The balance that a finalised invoice leaves, from its amounts. */
export function endingBalanceOf({ total, starting_balance, amount_due }: Stripe.Invoice): number {
  return total + starting_balance - amount_due;
}

/** The id of the subscription that an invoice is for; null for a one-off invoice. */
export function subscriptionIdOf(invoice: Stripe.Invoice): string | null {
  return idOf(invoice.parent?.subscription_details?.subscription);
}
