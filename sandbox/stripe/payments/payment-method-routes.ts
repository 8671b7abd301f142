import type Stripe from 'stripe';
import { listOf } from '../rest/list';
import { retrieveRoute, route, type Call, type Route } from '../rest/rest';
import { StripeError, parameterMissing } from '../rest/stripe-error';
import { mergeMetadata } from '../store';
import type { TypedCard } from './cards';
import {
  attachPaymentMethod,
  billingDetailsOf,
  createPaymentMethod,
  detachPaymentMethod,
  takePaymentMethod,
} from './payment-methods';

const CARD_PARAMETERS = ['number', 'exp_month', 'exp_year', 'cvc'].map((name) => `card.${name}`);

function listForCustomer(call: Call<Stripe.PaymentMethodListParams>, customer: string | undefined) {
  const { type } = call.params;
  // Without a customer Stripe lists nothing of cards: it returns methods only for one customer.
  const methods = call.store.list(
    'payment_method',
    (method) => customer !== undefined && method.customer === customer && (type ?? 'card') === method.type,
  );
  return listOf(call, methods);
}

/** The routes below `/v1/payment_methods`, and the list of a customer's. */
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
  route<Stripe.PaymentMethodListParams>({
    method: 'GET',
    path: '/v1/payment_methods',
    implemented: ['customer', 'type'],
    run: (call) => listForCustomer(call, call.params.customer),
  }),
  route<Stripe.CustomerListPaymentMethodsParams>({
    method: 'GET',
    path: '/v1/customers/:id/payment_methods',
    implemented: ['type'],
    run: (call) => listForCustomer(call, call.store.require('customer', call.id).id),
  }),
  retrieveRoute('payment_method', '/v1/payment_methods'),
  route<Stripe.PaymentMethodUpdateParams>({
    method: 'POST',
    path: '/v1/payment_methods/:id',
    implemented: ['metadata', 'billing_details'],
    run({ store, id, params }) {
      const method = store.require('payment_method', id);
      store.update(
        method,
        {
          billing_details: billingDetailsOf(params.billing_details, method.billing_details),
          metadata:
            params.metadata === undefined ? method.metadata : mergeMetadata(method.metadata, params.metadata),
        },
        'payment_method.updated',
      );
      return method;
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
  route({
    method: 'POST',
    path: '/v1/payment_methods/:id/detach',
    run({ store, id }) {
      const method = store.require('payment_method', id);
      detachPaymentMethod(store, method);
      return method;
    },
  }),
];
