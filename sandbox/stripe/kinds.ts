import type Stripe from 'stripe';

/** The objects that the store holds, by the value of their `object` field. */
export interface Kinds {
  'billing_portal.session': Stripe.BillingPortal.Session;
  charge: Stripe.Charge;
  'checkout.session': Stripe.Checkout.Session;
  customer: Stripe.Customer;
  dispute: Stripe.Dispute;
  invoice: Stripe.Invoice;
  invoice_payment: Stripe.InvoicePayment;
  payment_intent: Stripe.PaymentIntent;
  payment_method: Stripe.PaymentMethod;
  price: Stripe.Price;
  product: Stripe.Product;
  refund: Stripe.Refund;
  subscription: Stripe.Subscription;
  subscription_schedule: Stripe.SubscriptionSchedule;
}

export type Kind = keyof Kinds;

/** How Stripe names a kind in "No such …" messages. */
export const NOUNS: Record<Kind, string> = {
  'billing_portal.session': 'session',
  charge: 'charge',
  'checkout.session': 'checkout.session',
  customer: 'customer',
  dispute: 'dispute',
  invoice: 'invoice',
  invoice_payment: 'invoice_payment',
  payment_intent: 'payment_intent',
  payment_method: 'PaymentMethod',
  price: 'price',
  product: 'product',
  refund: 'refund',
  subscription: 'subscription',
  subscription_schedule: 'subscription schedule',
};

/** The prefix of a kind's ids. */
export const ID_PREFIXES: Record<Kind, string> = {
  'billing_portal.session': 'bps',
  charge: 'ch',
  'checkout.session': 'cs_test',
  customer: 'cus',
  dispute: 'dp',
  invoice: 'in',
  invoice_payment: 'inpay',
  payment_intent: 'pi',
  payment_method: 'pm',
  price: 'price',
  product: 'prod',
  refund: 're',
  subscription: 'sub',
  subscription_schedule: 'sub_sched',
};
