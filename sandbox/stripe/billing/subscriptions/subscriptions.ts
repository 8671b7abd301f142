import type Stripe from 'stripe';
import { requireAttached } from '../../payments/customers';
import { byCreated, byId, isInRange, listMatching, type Range } from '../../rest/list';
import { retrieveRoute, route, type Route } from '../../rest/rest';
import { invalidRequest, notInSandbox, parameterMissing, resourceMissing } from '../../rest/stripe-error';
import type { BillingStore } from '../billing-store';
import { attemptPayment, createInvoice, finalizeInvoice } from '../invoices/invoices';
import { periodTerms } from '../invoices/invoice-lines';
import { periodFrom } from './period';
import { pauseSubscription, resumeSubscription } from './pause-subscription';
import { itemOf, requireOnlyItem } from './plan-change';
import { requireRecurringPrice } from '../catalogue/prices';
import { buildSubscription } from './subscription-object';
import { endSubscription, isOver } from './subscription-state';
import { updateSubscription } from './update-subscription';

const CREATE_FIELDS = [
  'customer',
  'items.*.price',
  'items.*.quantity',
  'payment_behavior',
  'payment_settings.save_default_payment_method',
  'metadata',
  'description',
  'default_payment_method',
  'off_session',
  'cancel_at_period_end',
  'collection_method',
];

const UPDATE_FIELDS = [
  'items.*.id',
  'items.*.price',
  'items.*.quantity',
  'payment_behavior',
  'payment_settings.save_default_payment_method',
  'proration_behavior',
  'proration_date',
  'metadata',
  'description',
  'default_payment_method',
  'off_session',
  'pause_collection.behavior',
  'pause_collection.resumes_at',
  'cancel_at',
  'cancel_at_period_end',
  'cancellation_details.comment',
  'cancellation_details.feedback',
];

type NewSubscription = Pick<
  Stripe.SubscriptionCreateParams,
  | 'cancel_at_period_end'
  | 'customer'
  | 'default_payment_method'
  | 'description'
  | 'items'
  | 'metadata'
  | 'payment_settings'
>;

/**
 * Creates an incomplete subscription with its first invoice, open and unpaid. When nothing is due it is active at once.
 * @throws StripeError for an unknown customer, price or payment method
 */
export function startSubscription(store: BillingStore, params: NewSubscription): Stripe.Subscription {
  if (params.customer === undefined) throw parameterMissing('customer');
  const customer = store.require('customer', params.customer, 'customer');
  const given = requireOnlyItem(params.items, 'items');
  const { price, recurring } = requireRecurringPrice(store, given.price!, 'items[0][price]');
  if (params.default_payment_method !== undefined)
    requireAttached(store, customer, params.default_payment_method);
  const quantity = given.quantity ?? 1;
  const now = store.now();
  const period = periodFrom(now, recurring, now);
  const subscription = buildSubscription(store, {
    id: store.newId('subscription'),
    customer: customer.id,
    price,
    quantity,
    period,
    metadata: params.metadata,
    description: params.description,
    cancelAtPeriodEnd: params.cancel_at_period_end,
    defaultPaymentMethod: params.default_payment_method,
    saveDefaultPaymentMethod: params.payment_settings?.save_default_payment_method,
  });
  store.insert('subscription', subscription);
  const invoice = createInvoice(store, {
    subscription,
    reason: 'subscription_create',
    lines: [periodTerms(store, subscription, { item: itemOf(subscription).id, price, quantity, period })],
    period: { start: now, end: now },
  });
  subscription.latest_invoice = invoice.id;
  store.emit('customer.subscription.created', subscription);
  finalizeInvoice(store, invoice);
  return subscription;
}

function createSubscription(
  store: BillingStore,
  params: Stripe.SubscriptionCreateParams,
): Stripe.Subscription {
  const behavior = params.payment_behavior ?? 'allow_incomplete';
  if (behavior !== 'default_incomplete' && behavior !== 'allow_incomplete')
    throw notInSandbox(`payment_behavior=${behavior} for a new subscription`, 'payment_behavior');
  if (params.collection_method !== undefined && params.collection_method !== 'charge_automatically')
    throw notInSandbox(`collection_method=${params.collection_method}`, 'collection_method');
  if (behavior === 'allow_incomplete') requireSomePaymentMethod(store, params);
  const subscription = startSubscription(store, params);
  const invoice = store.require('invoice', String(subscription.latest_invoice));
  if (behavior === 'allow_incomplete' && invoice.status === 'open')
    attemptPayment(store, invoice, { offSession: params.off_session ?? false, isScheduled: false });
  return subscription;
}

/** A subscription that is charged at once needs something to charge. */
function requireSomePaymentMethod(store: BillingStore, params: Stripe.SubscriptionCreateParams): void {
  if (params.customer === undefined || params.default_payment_method !== undefined) return;
  const customer = store.require('customer', params.customer, 'customer');
  if (customer.invoice_settings.default_payment_method === null)
    throw invalidRequest(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.',
      'resource_missing',
    );
}

const SUBSCRIPTION_FILTERS = {
  customer: byId('customer'),
  status: hasStatus,
  price: (subscription: Stripe.Subscription, id: string) => itemOf(subscription).price.id === id,
  created: byCreated,
  current_period_end: (subscription: Stripe.Subscription, range: Range) =>
    isInRange(itemOf(subscription).current_period_end, range),
  current_period_start: (subscription: Stripe.Subscription, range: Range) =>
    isInRange(itemOf(subscription).current_period_start, range),
};

/** The routes of subscription objects. */
export const subscriptionRoutes = (store: BillingStore): Route[] => [
  route<Stripe.SubscriptionCreateParams>({
    method: 'POST',
    path: '/v1/subscriptions',
    implemented: CREATE_FIELDS,
    run: ({ params }) => createSubscription(store, params),
  }),
  retrieveRoute('subscription', '/v1/subscriptions'),
  route<Stripe.SubscriptionUpdateParams>({
    method: 'POST',
    path: '/v1/subscriptions/:id',
    implemented: UPDATE_FIELDS,
    run: ({ id, params }) => updateSubscription(store, store.require('subscription', id), params),
  }),
  route<Stripe.SubscriptionCancelParams>({
    method: 'DELETE',
    path: '/v1/subscriptions/:id',
    implemented: ['cancellation_details.comment', 'cancellation_details.feedback', 'invoice_now', 'prorate'],
    run({ id, params }) {
      const subscription = store.require('subscription', id);
      if (isOver(subscription)) throw resourceMissing('subscription', subscription.id);
      if (params.prorate || params.invoice_now) throw notInSandbox('a credit at cancellation', 'prorate');
      const { comment, feedback } = params.cancellation_details ?? {};
      const details = subscription.cancellation_details;
      if (details && comment !== undefined) details.comment = comment || null;
      if (details && feedback !== undefined) details.feedback = feedback || null;
      endSubscription(store, subscription, 'cancellation_requested');
      return subscription;
    },
  }),
  route<Stripe.SubscriptionPauseParams>({
    method: 'POST',
    path: '/v1/subscriptions/:id/pause',
    implemented: ['bill_for.unused_time_from.type', 'type'],
    run: ({ id, params }) => pauseSubscription(store, store.require('subscription', id), params),
  }),
  route<Stripe.SubscriptionResumeParams>({
    method: 'POST',
    path: '/v1/subscriptions/:id/resume',
    run: ({ id }) => resumeSubscription(store, store.require('subscription', id)),
  }),
  route<Stripe.SubscriptionListParams>({
    method: 'GET',
    path: '/v1/subscriptions',
    implemented: Object.keys(SUBSCRIPTION_FILTERS),
    // Stripe API, "List subscriptions", status: without a filter, cancelled ones are left out.
    run: (call) =>
      listMatching(
        { ...call, params: { status: 'not canceled', ...call.params } },
        'subscription',
        SUBSCRIPTION_FILTERS,
      ),
  }),
];

function hasStatus(subscription: Stripe.Subscription, status: string): boolean {
  if (status === 'all') return true;
  if (status === 'not canceled') return subscription.status !== 'canceled';
  if (status === 'ended') return isOver(subscription);
  return subscription.status === status;
}

/** Ends the subscriptions of a customer who is about to be deleted (Stripe API, "Delete a customer"). */
export function endSubscriptionsOf(store: BillingStore, customer: string): void {
  for (const subscription of store.list('subscription', (found) => found.customer === customer))
    if (!isOver(subscription)) endSubscription(store, subscription, 'cancellation_requested');
}
