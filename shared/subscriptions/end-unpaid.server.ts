import { fromIso } from '../clock';
import type { Database } from '../database/connection.server';
import { withCustomerLease } from '../payments/customer-lease.server';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { askStripe, stripeCodeOf } from '../payments/stripe-errors';
import type { SyncResult } from '../payments/sync-result';
import type { StoredSubscription } from './membership';
import { syncSubscription } from './sync-subscription.server';

async function findRow(db: Database, rowId: string): Promise<StoredSubscription | null> {
  const row = await db.selectFrom('subscriptions').selectAll().where('id', '=', rowId).executeTakeFirst();
  return row ?? null;
}

/** A request that Stripe refuses because the object has changed since: reading it afresh tells how. */
async function unlessChanged(request: () => Promise<unknown>): Promise<void> {
  try {
    await askStripe(request);
  } catch (error) {
    if (stripeCodeOf(error) === null) throw error;
  }
}

/**
 * Cancels a subscription at Stripe whose grace has ended, and voids what it still owes, so that Stripe charges a member
 * no more who is free already. Reads it afresh first: a payment that came in time keeps it. Throws `BadGateway`,
 * `Unavailable`.
 */
export async function endUnpaidSubscription(context: PaymentsContext, rowId: string): Promise<SyncResult> {
  const { client } = requireStripe(context);
  const before = await findRow(context.db, rowId);
  const stripeId = before?.stripe_subscription_id ?? null;
  if (before === null || stripeId === null) return 'ignored';
  const result = await withCustomerLease(context, before.user_id, async (lease) => {
    const first = await syncSubscription(context, stripeId, lease);
    const row = await findRow(context.db, rowId);
    const ended =
      row !== null &&
      (row.status === 'past_due' || row.status === 'unpaid') &&
      row.grace_until !== null &&
      fromIso(row.grace_until) <= context.clock.now();
    if (!ended) return first;
    await unlessChanged(() =>
      client.subscriptions.cancel(stripeId, {}, { idempotencyKey: `grace-${row.id}-${row.grace_until}` }),
    );
    const unpaid = await context.db
      .selectFrom('subscription_invoices')
      .select('id')
      .where('subscription_id', '=', rowId)
      .where('status', '=', 'open')
      .execute();
    for (const { id } of unpaid)
      await unlessChanged(() => client.invoices.voidInvoice(id, {}, { idempotencyKey: `void-${id}` }));
    await syncSubscription(context, stripeId, lease);
    return 'changed';
  });
  return result ?? 'ignored';
}
