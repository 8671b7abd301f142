import type Stripe from 'stripe';
import { fromIso } from '../clock';
import type { Database } from '../database/connection.server';
import { DomainError } from '../errors';
import { withCustomerLease, type CustomerLease } from '../payments/customer-lease.server';
import { idOf } from '../payments/our-objects';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { callStripe, findAtStripe } from '../payments/stripe-errors';
import type { SyncResult } from '../payments/sync-with-stripe.server';
import type { StoredSubscription } from './membership';
import { syncSubscription } from './sync/sync-subscription.server';

/** The refusal of a step while a payment of the account is under way. */
export function paymentProcessing(cause?: unknown): DomainError {
  return new DomainError('Conflict', {
    code: 'payment_processing',
    message: 'A payment of yours is being processed. Please wait a minute and look again.',
    cause,
  });
}

/**
 * Ends an invoice that must not be paid any more. Stripe refuses to void an invoice that is paid or being paid, so
 * after this no charge can follow. Returns false for an invoice that is paid. Throws `Conflict` when a payment is under
 * way.
 */
async function voidInvoice(client: Stripe, invoiceId: string): Promise<boolean> {
  const invoice = await findAtStripe(() => client.invoices.retrieve(invoiceId));
  if (invoice?.status !== 'open') return invoice?.status !== 'paid';
  try {
    await callStripe(() => client.invoices.voidInvoice(invoiceId));
    return true;
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw paymentProcessing(error);
  }
}

/**
 * Voids the open invoices of an account's ended subscriptions: Stripe leaves them open, so they could still be paid.
 */
export async function voidOpenInvoices(context: PaymentsContext, lease: CustomerLease): Promise<void> {
  const { client } = requireStripe(context);
  const unpaid = await context.db
    .selectFrom('subscription_invoices as invoice')
    .innerJoin('subscriptions as subscription', 'subscription.id', 'invoice.subscription_id')
    .select(['invoice.id', 'subscription.stripe_subscription_id'])
    .where('subscription.user_id', '=', lease.accountId)
    .where('subscription.status', '=', 'canceled')
    .where('invoice.status', '=', 'open')
    .execute();
  for (const { id, stripe_subscription_id: subscriptionId } of unpaid) {
    await voidInvoice(client, id);
    if (subscriptionId !== null) await syncSubscription(context, subscriptionId, lease);
  }
}

/**
 * Cancels a subscription at Stripe at once and voids its open invoices, the latest one first, so that no payment can
 * follow. Writes Stripe's state afterwards. Throws `Conflict` while a payment is processed, and when it has just been
 * paid.
 */
export async function endSubscription(
  context: PaymentsContext,
  { lease }: { lease: CustomerLease },
  { stripeSubscriptionId, comment }: { stripeSubscriptionId: string; comment?: string },
): Promise<void> {
  const { client } = requireStripe(context);
  const subscription = await findAtStripe(() => client.subscriptions.retrieve(stripeSubscriptionId));
  if (subscription === null) return;
  const invoiceId = idOf(subscription.latest_invoice);
  const isPaid = invoiceId !== null && !(await voidInvoice(client, invoiceId));
  // Voiding the first invoice ends an incomplete subscription by itself.
  const { status } = await callStripe(() => client.subscriptions.retrieve(stripeSubscriptionId));
  if (isPaid && (status === 'active' || status === 'trialing')) {
    // The payment has arrived since the caller read the subscription: the member keeps it.
    await syncSubscription(context, stripeSubscriptionId, lease);
    throw paymentProcessing();
  }
  if (status !== 'canceled' && status !== 'incomplete_expired')
    await callStripe(() =>
      client.subscriptions.cancel(
        stripeSubscriptionId,
        comment === undefined ? {} : { cancellation_details: { comment } },
      ),
    );
  await syncSubscription(context, stripeSubscriptionId, lease);
  await voidOpenInvoices(context, lease);
}

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
