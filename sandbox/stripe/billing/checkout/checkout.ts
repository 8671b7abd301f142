import type Stripe from 'stripe';
import type { BillingStore } from '../billing-store';
import { fitsId, fitsRange, listOf } from '../../rest/list';
import { route, type Route } from '../../rest/rest';
import { invalidRequest } from '../../rest/stripe-error';
import { attachedData, createSession, expireSession } from './checkout-session';

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
  route({
    method: 'GET',
    path: '/v1/checkout/sessions/:id',
    run: ({ path }) => store.require('checkout.session', path.id!),
  }),
  route<Stripe.Checkout.SessionListParams>({
    method: 'GET',
    path: '/v1/checkout/sessions',
    implemented: ['customer', 'status', 'payment_intent', 'subscription', 'created'],
    run(call) {
      const { customer, status, payment_intent, subscription, created } = call.params;
      return listOf(
        call,
        store.list(
          'checkout.session',
          (session) =>
            fitsId(session.customer, customer) &&
            (status === undefined || session.status === status) &&
            fitsId(session.payment_intent, payment_intent) &&
            fitsId(session.subscription, subscription) &&
            fitsRange(session.created, created),
        ),
      );
    },
  }),
  route<Stripe.Checkout.SessionListLineItemsParams>({
    method: 'GET',
    path: '/v1/checkout/sessions/:id/line_items',
    run: (call) => {
      const session = store.require('checkout.session', call.path.id!);
      return listOf(call, attachedData(store, session).lineItems);
    },
  }),
  route<Stripe.Checkout.SessionExpireParams>({
    method: 'POST',
    path: '/v1/checkout/sessions/:id/expire',
    run({ path }) {
      const session = store.require('checkout.session', path.id!);
      if (session.status !== 'open')
        throw invalidRequest(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
        );
      expireSession(store, session);
      return session;
    },
  }),
];
