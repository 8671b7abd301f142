import type Stripe from 'stripe';
import type { Includables } from '../rest/expand';
import type { Route } from '../rest/rest';
import type { PaymentIntents } from '../payments/payment-intents';
import type { Store } from '../store';
import type { BillingStore } from './billing-store';
import { priceRoutes } from './catalogue/prices';
import { productRoutes } from './catalogue/products';
import { checkoutRoutes } from './checkout/checkout';
import { lineItemsOf, listenForCheckout } from './checkout/checkout-session';
import { INVOICE_INCLUDABLES, invoiceRoutes } from './invoices/invoice-routes';
import { portalRoutes } from './portal';
import { createBillingSchedule } from './schedule';
import { listenForSettlement } from './settlement';
import { subscriptionScheduleRoutes } from './subscriptions/subscription-schedules';
import { subscriptionRoutes, endSubscriptionsOf } from './subscriptions/subscriptions';

interface BillingParts {
  intents: PaymentIntents;
  origin: () => string;
  includables: Includables;
}

/**
 * Adds Stripe Billing and Checkout to a store: connects them to its events and its clock, and adds the fields that
 * `expand` shows.
 * @returns the routes, and the store as billing's functions take it
 */
export function createBilling(plain: Store, { intents, origin, includables }: BillingParts) {
  const store: BillingStore = { ...plain, intents, origin };
  listenForSettlement(store);
  listenForCheckout(store);
  store.clock.addSchedule(createBillingSchedule(store));
  includables.set('invoice.confirmation_secret', (invoice: Stripe.Invoice) =>
    INVOICE_INCLUDABLES.confirmation_secret(store, invoice),
  );
  includables.set('invoice.payments', (invoice: Stripe.Invoice) =>
    INVOICE_INCLUDABLES.payments(store, invoice),
  );
  includables.set('checkout.session.line_items', (session: Stripe.Checkout.Session) =>
    lineItemsOf(store, session),
  );
  const routes: Route[] = [
    ...productRoutes(store),
    ...priceRoutes(store),
    ...subscriptionRoutes(store),
    ...subscriptionScheduleRoutes(store),
    ...invoiceRoutes(store),
    ...checkoutRoutes(store),
    ...portalRoutes(store),
  ];
  return {
    store,
    routes,
    endSubscriptionsOf: (customer: Stripe.Customer) => endSubscriptionsOf(store, customer.id),
  };
}
