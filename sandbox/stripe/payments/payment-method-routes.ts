import type Stripe from 'stripe';
import { route, type Route } from '../rest/rest';
import { StripeError, parameterMissing } from '../rest/stripe-error';
import type { TypedCard } from './cards';
import { attachPaymentMethod, createPaymentMethod, takePaymentMethod } from './payment-methods';

const CARD_PARAMETERS = ['number', 'exp_month', 'exp_year', 'cvc'].map((name) => `card.${name}`);

/** The routes below `/v1/payment_methods`. */
export const PAYMENT_METHOD_ROUTES: Route[] = [
  route<Stripe.PaymentMethodCreateParams>({
    method: 'POST',
    path: '/v1/payment_methods',
    publishable: true,
    implemented: ['type', 'metadata', 'billing_details', ...CARD_PARAMETERS],
    run({ store, params, key }) {
      if (params.type !== 'card' || !params.card) throw parameterMissing('card');
      if (key === 'secret')
        throw new StripeError(402, {
          type: 'invalid_request_error',
          message:
            'Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use test tokens that map to the test card you are using, see https://stripe.com/docs/testing. To enable testing raw card data APIs, see https://support.stripe.com/questions/enabling-access-to-raw-card-data-apis.',
        });
      return createPaymentMethod(store, {
        card: params.card as TypedCard,
        billingDetails: params.billing_details,
        metadata: params.metadata,
      });
    },
  }),
  route<Stripe.PaymentMethodAttachParams>({
    method: 'POST',
    path: '/v1/payment_methods/:id/attach',
    implemented: ['customer'],
    run({ store, id, params }) {
      if (params.customer === undefined) throw parameterMissing('customer');
      const customer = store.require('customer', params.customer, 'customer');
      const method = takePaymentMethod(store, id);
      attachPaymentMethod(store, method, customer);
      return method;
    },
  }),
];
