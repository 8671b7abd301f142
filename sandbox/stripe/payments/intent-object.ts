import type Stripe from 'stripe';
import type { Store } from '../store';
import { checkAmount } from './intent-checks';

/** The object that made a payment intent and decides about it: only it may cancel the intent. */
export interface IntentOwner {
  kind: 'invoice' | 'checkout.session';
  id: string;
}

export interface IntentInput {
  /** Pence. */
  amount: number;
  currency: string;
  customer?: string | null;
  description?: string | null;
  metadata?: Record<string, string>;
  receiptEmail?: string | null;
  setupFutureUsage?: Stripe.PaymentIntent.SetupFutureUsage | null;
  paymentMethod?: string | null;
  automatic?: Stripe.PaymentIntent.AutomaticPaymentMethods | null;
  allowedTypes?: Stripe.PaymentIntent['allowed_payment_method_types'];
  owner?: IntentOwner;
}

/**
 * A new payment intent that waits for a payment method, not yet stored.
 * @throws StripeError for an amount that Stripe refuses, or an unknown customer
 */
export function intentObject(store: Store, input: IntentInput): Stripe.PaymentIntent {
  const currency = input.currency.toLowerCase();
  checkAmount(input.amount, currency);
  const id = store.newId('payment_intent');
  const customer = input.customer ? store.require('customer', input.customer, 'customer') : null;
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: input.allowedTypes ?? null,
    amount: input.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: input.automatic ?? null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: store.newToken(`${id}_secret`),
    confirmation_method: 'automatic',
    created: store.now(),
    currency,
    customer: customer?.id ?? null,
    customer_account: null,
    description: input.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: input.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: 'automatic',
      },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: input.receiptEmail ?? null,
    review: null,
    setup_future_usage: input.setupFutureUsage ?? null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_group: null,
  };
}
