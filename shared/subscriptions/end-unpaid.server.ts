import { fromIso } from '../clock';
import type { Database } from '../database/connection.server';
import { DomainError } from '../errors';
import { withCustomerLease } from '../payments/customer-lease.server';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import type { SyncResult } from '../payments/sync-with-stripe.server';
import type { StoredSubscription } from './membership';
import { endSubscription, voidOpenInvoices } from './subscription-attempts.server';
import { syncSubscription } from './sync/sync-subscription.server';

async function findRow(db: Database, rowId: string): Promise<StoredSubscription | null> {
  const row = await db.selectFrom('subscriptions').selectAll().where('id', '=', rowId).executeTakeFirst();
  return row ?? null;
}

/**
 * Cancels a subscription at Stripe whose grace has ended, and voids its open invoices, so that Stripe no longer charges a
 * member who has no Pro any more. Reads it afresh first: a payment in time keeps it. Of a subscription that Stripe has
 * canceled by itself, only the invoices are voided. Throws `BadGateway`, `Unavailable`.
 */
export async function endUnpaidSubscription(context: PaymentsContext, rowId: string): Promise<SyncResult> {
  requireStripe(context);
  const before = await findRow(context.db, rowId);
  const stripeId = before?.stripe_subscription_id ?? null;
  if (before === null || stripeId === null) return 'ignored';
  const result = await withCustomerLease(context, before.user_id, async (lease) => {
    const first = await syncSubscription(context, stripeId, lease);
    const row = await findRow(context.db, rowId);
    if (row?.status === 'canceled') {
      await voidOpenInvoices(context, lease);
      return 'changed';
    }
    const ended =
      row !== null &&
      (row.status === 'past_due' || row.status === 'unpaid') &&
      row.grace_until !== null &&
      fromIso(row.grace_until) <= context.clock.now();
    if (!ended) return first;
    try {
      await endSubscription(context, { lease }, { stripeSubscriptionId: stripeId });
    } catch (error) {
      // It has been paid since it was read above, and `endSubscription` has written that.
      if (!(error instanceof DomainError) || error.kind !== 'Conflict') throw error;
    }
    return 'changed';
  });
  return result ?? 'ignored';
}
