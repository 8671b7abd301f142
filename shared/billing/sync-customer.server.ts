import { findAccountOfCustomer, markCustomerDeleted } from '../payments/customers.server';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { findAtStripe } from '../payments/stripe-errors';
import type { SyncResult } from '../payments/sync-with-stripe.server';
import { syncUnfinished } from './sync-unfinished.server';

/**
 * Reads a customer afresh from Stripe. When it was deleted, which also ends its subscriptions, the account gets another at
 * its next purchase, and everything unfinished of the account is read afresh. Ignores foreign customers.
 */
export async function syncCustomer(context: PaymentsContext, stripeCustomerId: string): Promise<SyncResult> {
  const accountId = await findAccountOfCustomer(context.db, stripeCustomerId);
  if (accountId === null) return 'ignored';
  const { client } = requireStripe(context);
  const customer = await findAtStripe(() => client.customers.retrieve(stripeCustomerId));
  const isGone = customer === null || customer.deleted === true;
  const changed = isGone && (await markCustomerDeleted(context, stripeCustomerId));
  const synced = await syncUnfinished(context, accountId);
  return changed || synced ? 'changed' : 'unchanged';
}
