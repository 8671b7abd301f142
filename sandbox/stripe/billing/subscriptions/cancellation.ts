import type Stripe from 'stripe';
import { invalidRequest, notInSandbox } from '../../rest/stripe-error';
import type { BillingStore } from '../billing-store';
import { itemOf } from './plan-change';

type Cancellation = Pick<Stripe.Subscription, 'cancel_at' | 'cancel_at_period_end'>;

/**
 * The cancellation that an update requests: at the period's end, at a date, or none. `min_period_end` and
 * `max_period_end` become the time at once, without the flag (Stripe changelog 2025-07-30, "cancel at enums").
 * @returns null when the request does not mention it
 * @throws StripeError for both parameters together, for a past date, and while a schedule manages the subscription
 */
export function requestedCancellation(
  store: BillingStore,
  subscription: Stripe.Subscription,
  {
    cancel_at: date,
    cancel_at_period_end: flag,
  }: Pick<Stripe.SubscriptionUpdateParams, 'cancel_at' | 'cancel_at_period_end'>,
): Cancellation | null {
  if (date === undefined && flag === undefined) return null;
  if (date !== undefined && flag !== undefined)
    throw invalidRequest('You may only specify one of these parameters: cancel_at, cancel_at_period_end.');
  if (subscription.status === 'incomplete')
    throw notInSandbox('the cancellation date of an incomplete subscription', 'cancel_at_period_end');
  if (subscription.schedule !== null)
    throw invalidRequest(
      `The subscription is managed by the subscription schedule \`${String(subscription.schedule)}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    );
  const end = itemOf(subscription).current_period_end;
  if (flag === true) return { cancel_at: end, cancel_at_period_end: true };
  // Unsetting the flag does not change a date: only `cancel_at` removes it.
  if (flag === false)
    return subscription.cancel_at_period_end
      ? { cancel_at: null, cancel_at_period_end: false }
      : { cancel_at: subscription.cancel_at, cancel_at_period_end: false };
  if (date === '') return { cancel_at: null, cancel_at_period_end: false };
  // With one item all three names are the end of its period.
  const isName = date === 'min_period_end' || date === 'max_period_end' || date === 'max_billed_until';
  const at = isName ? end : Number(date);
  if (at <= store.now())
    throw invalidRequest('The subscription can only be canceled in the future.', undefined, 'cancel_at');
  return { cancel_at: at, cancel_at_period_end: false };
}
