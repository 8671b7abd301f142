import type Stripe from 'stripe';
import { portalPath } from '../pages/hosted-page';
import { route, type Route } from '../rest/rest';
import { invalidRequest, notInSandbox, parameterMissing } from '../rest/stripe-error';
import { idOf } from '../store';
import type { BillingStore } from './billing-store';

const FLOWS = ['payment_method_update', 'subscription_cancel'];

type Params = Stripe.BillingPortal.SessionCreateParams;

function createPortalSession(store: BillingStore, params: Params): Stripe.BillingPortal.Session {
  if (params.customer === undefined) throw parameterMissing('customer');
  const customer = store.require('customer', params.customer, 'customer');
  const id = store.newId('billing_portal.session');
  const session: Stripe.BillingPortal.Session = {
    id,
    object: 'billing_portal.session',
    configuration: 'bpc_sandbox',
    created: store.now(),
    customer: customer.id,
    customer_account: null,
    flow: params.flow_data ? readFlow(store, customer, params.flow_data) : null,
    livemode: false,
    locale: params.locale ?? null,
    on_behalf_of: null,
    return_url: params.return_url ?? null,
    url: store.origin() + portalPath(id),
  };
  store.insert('billing_portal.session', session);
  store.emit('billing_portal.session.created', session);
  return session;
}

function readFlow(
  store: BillingStore,
  customer: Stripe.Customer,
  { type, after_completion: after, subscription_cancel: cancel }: NonNullable<Params['flow_data']>,
): Stripe.BillingPortal.Session.Flow {
  if (!FLOWS.includes(type)) throw notInSandbox(`flow_data[type]=${type}`, 'flow_data[type]');
  const isCancel = type === 'subscription_cancel';
  if (isCancel && !cancel) throw parameterMissing('flow_data[subscription_cancel]');
  if (cancel) {
    const param = 'flow_data[subscription_cancel][subscription]';
    const subscription = store.require('subscription', cancel.subscription, param);
    if (idOf(subscription.customer) !== customer.id)
      throw invalidRequest(`No such subscription: '${cancel.subscription}'`, 'resource_missing', param);
    if (subscription.cancel_at !== null)
      throw invalidRequest(
        'This subscription is already set to be canceled at the end of its period.',
        undefined,
        param,
      );
  }
  return {
    after_completion: {
      type: after?.type ?? 'portal_homepage',
      redirect: after?.redirect ? { return_url: after.redirect.return_url } : null,
      hosted_confirmation: after?.hosted_confirmation
        ? { custom_message: after.hosted_confirmation.custom_message ?? null }
        : null,
    },
    customer_update: null,
    subscription_cancel: isCancel ? { retention: null, subscription: cancel!.subscription } : null,
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm: null,
    type,
  };
}

/** The routes of portal objects. */
export const portalRoutes = (store: BillingStore): Route[] => [
  route<Params>({
    method: 'POST',
    path: '/v1/billing_portal/sessions',
    implemented: [
      'customer',
      'return_url',
      'locale',
      'flow_data.type',
      'flow_data.after_completion.type',
      'flow_data.after_completion.redirect.return_url',
      'flow_data.after_completion.hosted_confirmation.custom_message',
      'flow_data.subscription_cancel.subscription',
    ],
    run: ({ params }) => createPortalSession(store, params),
  }),
];
