import { findAccountOfCustomer, markCustomerDeleted } from '../payments/customers.server';
import type { PaymentsContext } from '../payments/payments-context';
import { requireOurAccount } from '../payments/stripe-account.server';
import { findAtStripe } from '../payments/stripe-errors';
import type { SyncResult } from '../payments/sync-with-stripe.server';
import { syncSubscription } from '../subscriptions/sync/sync-subscription.server';
import { syncPurchase } from '../tokens/sync-purchase.server';

/** Reads every subscription of an account that has not ended, and every pending purchase. Returns whether one changed. */
async function syncUnfinished(context: PaymentsContext, accountId: string): Promise<boolean> {
  const subscriptions = await context.db
    .selectFrom('subscriptions')
    .select('stripe_subscription_id as stripeId')
    .where('user_id', '=', accountId)
    .where('stripe_subscription_id', 'is not', null)
    .where('status', 'not in', ['canceled', 'incomplete_expired'])
    .execute();
  const purchases = await context.db
    .selectFrom('token_purchases')
    .select('stripe_payment_intent_id as stripeId')
    .where('user_id', '=', accountId)
    .where('stripe_payment_intent_id', 'is not', null)
    .where('status', '=', 'pending')
    .execute();
  let changed = false;
  for (const { stripeId } of subscriptions)
    if (stripeId !== null && (await syncSubscription(context, stripeId)) === 'changed') changed = true;
  for (const { stripeId } of purchases)
    if (stripeId !== null && (await syncPurchase(context, stripeId)) === 'changed') changed = true;
  return changed;
}

/**
 * Reads a customer afresh from Stripe. When it was deleted, which also ends its subscriptions, the account gets another at
 * its next purchase, and everything unfinished of the account is read afresh. One that Stripe does not know is not taken for
 * deleted: Stripe keeps the ids of deleted customers. Ignores foreign customers.
 */
export async function syncCustomer(context: PaymentsContext, stripeCustomerId: string): Promise<SyncResult> {
  const accountId = await findAccountOfCustomer(context.db, stripeCustomerId);
  if (accountId === null) return 'ignored';
  const { client } = await requireOurAccount(context);
  const customer = await findAtStripe(() => client.customers.retrieve(stripeCustomerId));
  if (customer === null) return 'missing';
  const changed = customer.deleted === true && (await markCustomerDeleted(context, stripeCustomerId));
  const synced = await syncUnfinished(context, accountId);
  return changed || synced ? 'changed' : 'unchanged';
}
