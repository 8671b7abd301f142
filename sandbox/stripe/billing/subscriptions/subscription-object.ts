import type Stripe from 'stripe';
import { idOf, mergeMetadata } from '../../store';
import type { BillingStore } from '../billing-store';
import type { Period } from './period';
import { unitAmountOf } from '../catalogue/prices';

/** The legacy twin of a price, which items still carry. */
function planOf(price: Stripe.Price): Stripe.Plan {
  const { recurring } = price;
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: unitAmountOf(price),
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: recurring!.interval,
    interval_count: recurring!.interval_count,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: idOf(price.product),
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}

/** The fields of an item that a change of price, quantity or period replaces. */
export function itemFields(price: Stripe.Price, quantity: number, period: Period) {
  return {
    current_period_start: period.start,
    current_period_end: period.end,
    plan: planOf(price),
    price,
    quantity,
  };
}

interface SubscriptionTerms {
  id: string;
  customer: string;
  price: Stripe.Price;
  quantity: number;
  period: Period;
  metadata?: Parameters<typeof mergeMetadata>[1];
  description?: string;
  cancelAtPeriodEnd?: boolean;
  defaultPaymentMethod?: string;
  saveDefaultPaymentMethod?: Stripe.Subscription.PaymentSettings['save_default_payment_method'];
}

/** A new subscription, which is incomplete until its first invoice is paid. */
export function buildSubscription(store: BillingStore, terms: SubscriptionTerms): Stripe.Subscription {
  const { id, price, period } = terms;
  const now = store.now();
  const item: Stripe.SubscriptionItem = {
    id: store.newToken('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_trial: null,
    discounts: [],
    metadata: {},
    subscription: id,
    tax_rates: [],
    ...itemFields(price, terms.quantity, period),
  };
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: period.start,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: terms.cancelAtPeriodEnd ? period.end : null,
    cancel_at_period_end: terms.cancelAtPeriodEnd ?? false,
    canceled_at: terms.cancelAtPeriodEnd ? now : null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: price.currency,
    customer: terms.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: terms.defaultPaymentMethod ?? null,
    default_source: null,
    default_tax_rates: [],
    description: terms.description ?? null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: [item],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: mergeMetadata(null, terms.metadata),
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: terms.saveDefaultPaymentMethod ?? 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: 'incomplete',
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: null,
    trial_start: null,
  };
}
