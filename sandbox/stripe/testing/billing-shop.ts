import type Stripe from 'stripe';
import { startSandbox, type Sandbox } from '../../start-sandbox';
import { stripeClient } from './clients';

export const HOUR = 3600;
export const DAY = 24 * HOUR;

/** A shop with three plans and its own sandbox, which it calls through Stripe's SDK, for tests of billing. */
export interface BillingShop {
  sandbox: Sandbox;
  stripe: Stripe;
  /** £9.99 and £19.99 every 30 days, £99.99 every 365 days. */
  plans: { monthly: Stripe.Price; pro: Stripe.Price; yearly: Stripe.Price };
  /** Epoch seconds of the test clock. */
  now(): number;
  eventTypes(): string[];
  createPrice(name: string, pence: number, days: number): Promise<Stripe.Price>;
  /** A new customer's subscription whose first invoice is not paid. */
  startIncomplete(price?: Stripe.Price): Promise<Stripe.Subscription>;
  /** A subscription that was paid with a card, after the bank's challenge if it asks for one. */
  startActive(card?: string, price?: Stripe.Price): Promise<Stripe.Subscription>;
  /** Confirms an invoice's payment while the customer is present. */
  confirm(invoice: Stripe.Invoice, card: string): Promise<Stripe.PaymentIntent>;
  /** Newest first. */
  invoicesOf(subscription: Stripe.Subscription): Promise<Stripe.Invoice[]>;
  balanceOf(subscription: Stripe.Subscription): Promise<number>;
  /** Removes all objects and recreates the plans. */
  reset(): Promise<void>;
}

/** The expanded latest invoice. */
export const invoiceOf = ({ latest_invoice }: Stripe.Subscription) => latest_invoice as Stripe.Invoice;
export const itemOf = ({ items }: Stripe.Subscription) => items.data[0]!;

/** Starts a sandbox and a client of it. */
export async function startBillingShop(): Promise<BillingShop> {
  const sandbox = await startSandbox();
  const stripe = stripeClient(sandbox.origin);
  const shop: BillingShop = {
    sandbox,
    stripe,
    plans: {} as BillingShop['plans'],
    now: () => sandbox.stripe.now(),
    eventTypes: () => sandbox.stripe.events().map(({ type }) => type),
    createPrice: (name, pence, days) =>
      stripe.prices.create({
        currency: 'gbp',
        unit_amount: pence,
        recurring: { interval: 'day', interval_count: days },
        lookup_key: name.toLowerCase(),
        product_data: { name },
      }),
    async startIncomplete(price = shop.plans.monthly) {
      const customer = await stripe.customers.create({ email: 'ash@example.test' });
      return stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: price.id }],
        payment_behavior: 'default_incomplete',
        payment_settings: { save_default_payment_method: 'on_subscription' },
        metadata: { app: 'packwatch' },
        expand: ['latest_invoice.confirmation_secret'],
      });
    },
    async startActive(card = 'pm_card_visa', price = shop.plans.monthly) {
      const subscription = await shop.startIncomplete(price);
      const intent = await shop.confirm(invoiceOf(subscription), card);
      if (intent.status === 'requires_action') sandbox.stripe.finishChallenge(intent.id, true);
      return stripe.subscriptions.retrieve(subscription.id);
    },
    confirm(invoice, card) {
      const id = invoice.confirmation_secret!.client_secret.split('_secret_')[0]!;
      return stripe.paymentIntents.confirm(id, {
        payment_method: card,
        return_url: 'https://shop.test/back',
      });
    },
    invoicesOf: async (subscription) =>
      (await stripe.invoices.list({ subscription: subscription.id, limit: 100, expand: ['data.payments'] }))
        .data,
    balanceOf: async ({ customer }) =>
      ((await stripe.customers.retrieve(String(customer))) as Stripe.Customer).balance,
    async reset() {
      sandbox.reset();
      const [monthly, pro, yearly] = await Promise.all([
        shop.createPrice('Monthly', 999, 30),
        shop.createPrice('Pro', 1999, 30),
        shop.createPrice('Yearly', 9999, 365),
      ]);
      shop.plans = { monthly, pro, yearly };
    },
  };
  return shop;
}
