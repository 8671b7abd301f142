import type { PaymentsContext } from '../payments/payments-context';
import { syncSubscription } from '../subscriptions/sync/sync-subscription.server';
import { syncPurchase } from '../tokens/sync-purchase.server';

/** Reads every subscription of an account that has not ended, and every pending purchase. Returns whether one changed. */
export async function syncUnfinished(context: PaymentsContext, accountId: string): Promise<boolean> {
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
