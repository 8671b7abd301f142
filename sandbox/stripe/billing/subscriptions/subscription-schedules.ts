import type Stripe from 'stripe';
import { route, type Route } from '../../rest/rest';
import { invalidRequest, notInSandbox, parameterMissing } from '../../rest/stripe-error';
import { idOf } from '../../store';
import type { BillingStore } from '../billing-store';
import { itemOf } from './plan-change';
import { SUBSCRIPTION_UPDATED } from './subscription-state';

/** The settings of phases, which the sandbox does not have. */
const NO_SETTINGS = {} as Stripe.SubscriptionSchedule.DefaultSettings;

/** A schedule over an existing subscription, with its current period as the only phase. */
function createSchedule(
  store: BillingStore,
  { from_subscription: from }: Stripe.SubscriptionScheduleCreateParams,
): Stripe.SubscriptionSchedule {
  if (from === undefined) throw parameterMissing('from_subscription');
  const subscription = store.require('subscription', from, 'from_subscription');
  if (subscription.schedule !== null)
    throw invalidRequest('You cannot migrate a subscription that is already attached to a schedule.');
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  const schedule: Stripe.SubscriptionSchedule = {
    id: store.newId('subscription_schedule'),
    object: 'subscription_schedule',
    application: null,
    billing_mode: subscription.billing_mode,
    canceled_at: null,
    completed_at: null,
    created: store.now(),
    current_phase: { start_date: start, end_date: end },
    customer: subscription.customer,
    customer_account: null,
    default_settings: NO_SETTINGS,
    end_behavior: 'release',
    livemode: false,
    metadata: {},
    pause_schedules: [],
    phases: [],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: subscription.id,
    test_clock: null,
  };
  store.insert('subscription_schedule', schedule);
  store.update(subscription, { schedule: schedule.id }, SUBSCRIPTION_UPDATED);
  return schedule;
}

function subscriptionOf(
  store: BillingStore,
  schedule: Stripe.SubscriptionSchedule,
): Stripe.Subscription | undefined {
  return store.find('subscription', idOf(schedule.subscription) ?? '');
}

/** `end_behavior=cancel` ends the subscription with the last phase, which its `cancel_at` shows. */
function updateSchedule(
  store: BillingStore,
  schedule: Stripe.SubscriptionSchedule,
  { end_behavior: end }: Stripe.SubscriptionScheduleUpdateParams,
): Stripe.SubscriptionSchedule {
  if (end !== 'cancel' && end !== 'release') throw notInSandbox(`end_behavior=${end}`, 'end_behavior');
  schedule.end_behavior = end;
  const subscription = subscriptionOf(store, schedule);
  const cancelAt = end === 'cancel' ? (schedule.current_phase?.end_date ?? null) : null;
  if (subscription !== undefined) store.update(subscription, { cancel_at: cancelAt }, SUBSCRIPTION_UPDATED);
  return schedule;
}

/** Leaves the subscription without the schedule, and without its cancellation unless `preserve_cancel_date` is set. */
function releaseSchedule(
  store: BillingStore,
  schedule: Stripe.SubscriptionSchedule,
  { preserve_cancel_date: keepsDate = false }: Stripe.SubscriptionScheduleReleaseParams,
): Stripe.SubscriptionSchedule {
  if (schedule.status !== 'active')
    throw invalidRequest(`You cannot release a subscription schedule that is ${schedule.status}.`);
  const subscription = subscriptionOf(store, schedule);
  Object.assign(schedule, {
    status: 'released',
    released_at: store.now(),
    released_subscription: idOf(schedule.subscription),
    subscription: null,
  });
  if (subscription !== undefined)
    store.update(
      subscription,
      { schedule: null, ...(keepsDate ? {} : { cancel_at: null }) },
      SUBSCRIPTION_UPDATED,
    );
  return schedule;
}

/** The routes of subscription schedules. */
export const subscriptionScheduleRoutes = (store: BillingStore): Route[] => [
  route<Stripe.SubscriptionScheduleCreateParams>({
    method: 'POST',
    path: '/v1/subscription_schedules',
    implemented: ['from_subscription'],
    run: ({ params }) => createSchedule(store, params),
  }),
  route<Stripe.SubscriptionScheduleUpdateParams>({
    method: 'POST',
    path: '/v1/subscription_schedules/:id',
    implemented: ['end_behavior'],
    run: ({ id, params }) => updateSchedule(store, store.require('subscription_schedule', id), params),
  }),
  route<Stripe.SubscriptionScheduleReleaseParams>({
    method: 'POST',
    path: '/v1/subscription_schedules/:id/release',
    implemented: ['preserve_cancel_date'],
    run: ({ id, params }) => releaseSchedule(store, store.require('subscription_schedule', id), params),
  }),
];
