import type Stripe from 'stripe';
import type { BillingStore } from '../billing-store';
import { byCreated, byId, byValue, listRoute } from '../../rest/list';
import { retrieveRoute, route, type Route } from '../../rest/rest';
import { invalidRequest } from '../../rest/stripe-error';
import { createSession, expireSession } from './checkout-session';

/** The routes of checkout objects. */
export const checkoutRoutes = (store: BillingStore): Route[] => [
  route<Stripe.Checkout.SessionCreateParams>({
    method: 'POST',
    path: '/v1/checkout/sessions',
    implemented: [
      'mode',
      'ui_mode',
      'customer',
      'client_reference_id',
      'success_url',
      'cancel_url',
      'expires_at',
      'locale',
      'submit_type',
      'metadata',
      'line_items.*.price',
      'line_items.*.quantity',
      'line_items.*.price_data.currency',
      'line_items.*.price_data.unit_amount',
      'line_items.*.price_data.product',
      'line_items.*.price_data.product_data.name',
      'line_items.*.price_data.product_data.description',
      'line_items.*.price_data.product_data.metadata',
      'payment_intent_data.description',
      'payment_intent_data.metadata',
      'payment_intent_data.receipt_email',
      'payment_intent_data.setup_future_usage',
      'subscription_data.description',
      'subscription_data.metadata',
    ],
    run: ({ params }) => createSession(store, params),
  }),
  retrieveRoute('checkout.session', '/v1/checkout/sessions'),
  listRoute('checkout.session', '/v1/checkout/sessions', {
    customer: byId('customer'),
    status: byValue('status'),
    payment_intent: byId('payment_intent'),
    subscription: byId('subscription'),
    created: byCreated,
  }),
  route<Stripe.Checkout.SessionExpireParams>({
    method: 'POST',
    path: '/v1/checkout/sessions/:id/expire',
    run({ id }) {
      const session = store.require('checkout.session', id);
      if (session.status !== 'open')
        throw invalidRequest(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
        );
      expireSession(store, session);
      return session;
    },
  }),
];
