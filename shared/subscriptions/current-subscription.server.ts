import Stripe from 'stripe';
import { DomainError } from '../errors';
import { withCustomer } from '../payments/customers.server';
import { requireStripe, type Payer, type PaymentsContext } from '../payments/payments-context';
import { callStripe, unknownAtStripe } from '../payments/stripe-errors';
import { differs } from '../payments/sync-with-stripe.server';
import { findActiveSubscription, type StoredSubscription } from './membership';
import { readSubscription, type SubscriptionRecord } from './read-subscription';
import type { Step } from './subscription-attempts.server';
import { cancellationOf } from './sync/stripe-subscription.server';
import { syncSubscription } from './sync/sync-subscription.server';

/** A subscription that gives Pro, with its id at Stripe. */
export type Current = StoredSubscription & { stripe_subscription_id: string };

async function requireCurrent({ db, clock }: PaymentsContext, accountId: string): Promise<Current> {
  const row = await findActiveSubscription(db, { accountId, now: clock.now() });
  const id = row?.stripe_subscription_id ?? null;
  if (row !== null && id !== null) return { ...row, stripe_subscription_id: id };
  throw new DomainError('Conflict', {
    code: 'not_subscribed',
    message: 'You have no active subscription.',
  });
}

/** The client secret with which the member confirms the payment of the latest invoice. */
export const WITH_SECRET = { expand: ['latest_invoice.confirmation_secret'] };

export interface ChangedSubscription {
  subscription: SubscriptionRecord;
  /** What has changed, for the member. */
  message: string;
}

/** The subscription of an account after a change, with the sentence that `describe` makes of it. */
export async function describeChange(
  { db, clock }: PaymentsContext,
  account: Payer,
  describe: (subscription: SubscriptionRecord) => string,
): Promise<ChangedSubscription> {
  const { tier, expiresAt, cancelAtPeriodEnd, currentPackageId } = await readSubscription(db, {
    accountId: account.id,
    now: clock.now(),
  });
  const subscription = { tier, expiresAt, cancelAtPeriodEnd, currentPackageId };
  return { subscription, message: describe(subscription) };
}

/** Runs a step on the subscription that gives an account Pro. Throws `Conflict` without one. */
export async function withCurrent<T>(
  context: PaymentsContext,
  account: Payer,
  work: (current: Current, step: Step) => Promise<T>,
): Promise<T> {
  requireStripe(context);
  // Before a Stripe customer is created for an account that has nothing to change.
  await requireCurrent(context, account.id);
  return withCustomer(context, account, async ({ stripeCustomerId, lease }) => {
    const current = await requireCurrent(context, account.id);
    try {
      return await work(current, { accountId: account.id, stripeCustomerId, lease });
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      // Stripe refuses what our row allows: it has ended the subscription, and its event has not arrived yet.
      const result = await syncSubscription(context, current.stripe_subscription_id, { lease });
      await requireCurrent(context, account.id);
      throw result === 'missing' ? unknownAtStripe(error) : error;
    }
  });
}

/** The subscription as Stripe has it. When our row differs, such as after a lost answer of Stripe, it is synced first. */
export async function readCurrent(
  context: PaymentsContext,
  current: Current,
  { lease, accountId }: Step,
): Promise<{ row: Current; subscription: Stripe.Subscription; item: Stripe.SubscriptionItem }> {
  const { client } = requireStripe(context);
  const { stripe_subscription_id: id } = current;
  const subscription = await callStripe(() => client.subscriptions.retrieve(id));
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error(`subscription ${id} has no item`);
  const { stripe_price_id } = await context.db
    .selectFrom('subscription_packages')
    .select('stripe_price_id')
    .where('id', '=', current.package_id)
    .executeTakeFirstOrThrow();
  const isKnown =
    item.price.id === stripe_price_id &&
    subscription.status === current.status &&
    !differs(current, cancellationOf(subscription));
  if (isKnown) return { row: current, subscription, item };
  await syncSubscription(context, id, { lease, object: subscription });
  return { row: await requireCurrent(context, accountId), subscription, item };
}
