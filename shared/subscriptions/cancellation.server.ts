import Stripe from 'stripe';
import { idOf } from '../payments/our-objects';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { callStripe, findAtStripe } from '../payments/stripe-errors';
import { WITH_SECRET, type Current } from './current-subscription.server';

type Cancellation = Pick<
  Stripe.SubscriptionUpdateParams,
  'cancel_at' | 'cancel_at_period_end' | 'cancellation_details'
>;

/** The parameters that end a subscription with its period; none when it already ends then or before. */
export function cancellationFor({
  cancel_at_period_end: flag,
  cancel_at: date,
  current_period_end: periodEnd,
}: Current): Cancellation {
  if (flag === 1 || (date !== null && periodEnd !== null && date <= periodEnd)) return {};
  // Stripe refuses the flag beside a date, which this value replaces (docs.stripe.com/api/subscriptions/update, cancel_at).
  return date === null ? { cancel_at_period_end: true } : { cancel_at: 'min_period_end' };
}

/**
 * Changes how Stripe ends a subscription. Stripe refuses that while a schedule manages the subscription: the schedule is
 * released first, with the cancellation that it had set.
 */
export async function updateCancellation(
  context: PaymentsContext,
  id: string,
  cancellation: Cancellation,
): Promise<Stripe.Response<Stripe.Subscription>> {
  const { client } = requireStripe(context);
  const update = () => callStripe(() => client.subscriptions.update(id, { ...cancellation, ...WITH_SECRET }));
  try {
    return await update();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    const subscription = await findAtStripe(() => client.subscriptions.retrieve(id));
    const schedule = idOf(subscription?.schedule);
    if (schedule === null) throw error;
    await callStripe(() => client.subscriptionSchedules.release(schedule));
    return update();
  }
}

/** Removes what ends a subscription at Stripe: the flag, the date, or one after the other: Stripe takes one at a time. */
export async function clearCancellation(
  context: PaymentsContext,
  { stripe_subscription_id: id, cancel_at: date }: Current,
): Promise<Stripe.Response<Stripe.Subscription>> {
  const clear = (what: Cancellation) =>
    updateCancellation(context, id, { ...what, cancellation_details: { comment: '' } });
  const answer = await clear(date === null ? { cancel_at_period_end: false } : { cancel_at: '' });
  if (answer.cancel_at_period_end) return clear({ cancel_at_period_end: false });
  return answer.cancel_at === null ? answer : clear({ cancel_at: '' });
}
