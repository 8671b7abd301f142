import type Stripe from 'stripe';
import { StripeError, invalidRequest, notInSandbox, parameterMissing } from '../../rest/stripe-error';
import { idOf } from '../../store';
import type { BillingStore } from '../billing-store';
import { periodTerms, type LineTerms } from './invoice-lines';
import { buildInvoice } from './invoice-object';
import { requestedCancellation } from '../subscriptions/cancellation';
import { periodFrom } from '../subscriptions/period';
import { itemOf, planChange } from '../subscriptions/plan-change';
import { isRunning } from '../subscriptions/subscription-state';

/**
 * The invoice that a change of a subscription would create, or its next renewal when nothing changes. Nothing is stored.
 * `schedule` previews the subscription of a schedule.
 * @throws StripeError for an unknown subscription, a change that an update refuses, and when no invoice would come
 */
export function previewInvoice(
  store: BillingStore,
  params: Stripe.InvoiceCreatePreviewParams,
): Stripe.Invoice {
  const id = subscriptionIdFor(store, params);
  const subscription = store.require('subscription', id, 'subscription');
  if (params.customer !== undefined && params.customer !== idOf(subscription.customer))
    throw new StripeError(400, {
      type: 'invalid_request_error',
      message: `The subscription ${subscription.id} does not belong to the customer ${params.customer}.`,
      param: 'customer',
    });
  if (!isRunning(subscription)) throw noUpcomingInvoice(subscription);
  const details = params.subscription_details;
  const preview = store.newToken('upcoming_in');
  const change = planChange(store, subscription, details ?? {}, 'subscription_details');
  const item = itemOf(subscription);
  if (change && change.lines.length > 0)
    return buildInvoice(store, preview, {
      subscription,
      reason: 'upcoming',
      lines: change.lines,
      period: { start: item.current_period_start, end: store.now() },
      prorationDate: details?.proration_date ?? store.now(),
    });

  const { cancel_at: end } = requestedCancellation(store, subscription, details ?? {}) ?? subscription;
  if (end !== null && end <= item.current_period_end) throw noUpcomingInvoice(subscription);
  const invoice = buildInvoice(store, preview, {
    subscription,
    reason: 'upcoming',
    lines: [nextPeriod(store, subscription)],
    period: { start: item.current_period_start, end: item.current_period_end },
  });
  return { ...invoice, next_payment_attempt: item.current_period_end + 3600 };
}

function subscriptionIdFor(store: BillingStore, params: Stripe.InvoiceCreatePreviewParams): string {
  const { subscription, schedule, customer } = params;
  if (schedule !== undefined) {
    if (subscription !== undefined)
      throw invalidRequest('You may only specify one of these parameters: schedule, subscription.');
    const id = idOf(store.require('subscription_schedule', schedule, 'schedule').subscription);
    if (id !== null) return id;
    throw invalidRequest('The schedule has no subscription.', undefined, 'schedule');
  }
  if (subscription !== undefined) return subscription;
  if (customer === undefined) throw parameterMissing('subscription');
  throw notInSandbox('a preview without a subscription', 'subscription');
}

function nextPeriod(store: BillingStore, subscription: Stripe.Subscription): LineTerms {
  const item = itemOf(subscription);
  const { price } = item;
  return periodTerms(store, subscription, {
    item: item.id,
    price,
    quantity: item.quantity ?? 1,
    period: periodFrom(subscription.billing_cycle_anchor, price.recurring!, item.current_period_end),
  });
}

function noUpcomingInvoice({ customer }: Stripe.Subscription): StripeError {
  return new StripeError(404, {
    type: 'invalid_request_error',
    code: 'invoice_upcoming_none',
    message: `No upcoming invoices for customer: '${idOf(customer)}'`,
  });
}
