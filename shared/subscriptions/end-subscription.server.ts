import type Stripe from 'stripe';
import { fromIso, toIso } from '../clock';
import type { Database } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { withCustomerLease, type CustomerLease } from '../payments/customer-lease.server';
import { idOf } from '../payments/our-objects';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { requireOurAccount } from '../payments/stripe-account.server';
import { callStripe, findAtStripe } from '../payments/stripe-errors';
import type { SyncResult } from '../payments/sync-with-stripe.server';
import type { StoredSubscription } from './membership';
import { applySubscription, syncSubscription } from './sync/sync-subscription.server';

/** A subscription whose latest invoice is paid is the member's; `incomplete` lasts a moment longer than its payment. */
const KEPT_WHEN_PAID = new Set<Stripe.Subscription.Status>(['active', 'trialing', 'incomplete']);
/** Answers with the latest invoice. */
const WITH_INVOICE = { expand: ['latest_invoice'] };

/** The refusal of a step while a payment of the account is under way. */
export function paymentProcessing(cause?: unknown): DomainError {
  return new DomainError('Conflict', {
    code: 'payment_processing',
    message: 'Your payment is being processed. Please wait a minute and check again.',
    cause,
  });
}

/** Voids an open invoice, so that no charge follows. Throws `Conflict` when it is paid or a payment is under way. */
async function voidInvoice(client: Stripe, invoiceId: string): Promise<Stripe.Invoice> {
  try {
    return await callStripe(() => client.invoices.voidInvoice(invoiceId));
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw paymentProcessing(error);
  }
}

/** Notes that Stripe does not know an invoice of a subscription, so that it is not asked for every minute. */
async function noteMissingInvoice({ db, clock }: PaymentsContext, rowId: string): Promise<void> {
  await inTransaction(db, (trx) =>
    trx
      .updateTable('subscriptions')
      .set({ missing_since: toIso(clock.now()) })
      .where('id', '=', rowId)
      .where('missing_since', 'is', null)
      .execute(),
  );
}

/** Voids the open invoices of an account's ended subscriptions: Stripe leaves them open, so they could still be paid. */
export async function voidOpenInvoices(context: PaymentsContext, lease: CustomerLease): Promise<void> {
  const { client } = requireStripe(context);
  const unpaid = await context.db
    .selectFrom('subscription_invoices as invoice')
    .innerJoin('subscriptions as subscription', 'subscription.id', 'invoice.subscription_id')
    .select(['invoice.id', 'subscription.id as rowId', 'subscription.stripe_subscription_id as stripeId'])
    .where('subscription.user_id', '=', lease.accountId)
    .where('subscription.status', '=', 'canceled')
    .where('subscription.missing_since', 'is', null)
    .where('invoice.status', '=', 'open')
    .execute();
  for (const { id, rowId, stripeId } of unpaid) {
    const invoice = await findAtStripe(() => client.invoices.retrieve(id));
    if (invoice?.status === 'open') await voidInvoice(client, id);
    if (stripeId !== null) await syncSubscription(context, stripeId, { lease });
    if (invoice === null) await noteMissingInvoice(context, rowId);
  }
}

/** The invoice that was a subscription's latest when it was synced; null when there is none. */
async function findKnownInvoice(
  { db }: PaymentsContext,
  client: Stripe,
  stripeSubscriptionId: string,
): Promise<Stripe.Invoice | null> {
  const row = await db
    .selectFrom('subscriptions')
    .select('latest_invoice_id as id')
    .where('stripe_subscription_id', '=', stripeSubscriptionId)
    .executeTakeFirst();
  const id = row?.id ?? null;
  return id === null ? null : findAtStripe(() => client.invoices.retrieve(id));
}

/** A subscription with its latest invoice, both read at the same time; null when Stripe does not know it. */
async function readWithInvoice(
  context: PaymentsContext,
  id: string,
): Promise<{ subscription: Stripe.Subscription; invoice: Stripe.Invoice | null } | null> {
  const { client } = requireStripe(context);
  const [subscription, known] = await Promise.all([
    findAtStripe(() => client.subscriptions.retrieve(id)),
    findKnownInvoice(context, client, id),
  ]);
  if (subscription === null) return null;
  const invoiceId = idOf(subscription.latest_invoice);
  if (invoiceId === null || invoiceId === known?.id) return { subscription, invoice: known };
  return { subscription, invoice: await findAtStripe(() => client.invoices.retrieve(invoiceId)) };
}

/**
 * Cancels a subscription at Stripe at once and voids its open invoices, the latest one first, so that no payment can
 * follow. Writes Stripe's state afterwards. Voiding the first invoice also ends an incomplete subscription; its
 * attempt is for the caller to end. Returns false, and changes nothing, when Stripe does not know it. Throws `Conflict`
 * while a payment is processed, and when it has just been paid. `whenActive`: called before that, if it was active when it was read.
 * `evenPaid`: ends it although its latest invoice is paid.
 */
export async function endSubscription(
  context: PaymentsContext,
  { lease }: { lease: CustomerLease },
  {
    stripeSubscriptionId: id,
    comment,
    whenActive,
    evenPaid = false,
  }: {
    stripeSubscriptionId: string;
    comment?: string;
    whenActive?: () => Promise<void>;
    evenPaid?: boolean;
  },
): Promise<boolean> {
  const { client } = requireStripe(context);
  const reading = await readWithInvoice(context, id);
  if (reading === null) return false;
  const { subscription, invoice } = reading;
  const { status } = subscription;
  if (!evenPaid && invoice?.status === 'paid' && KEPT_WHEN_PAID.has(status)) {
    // The payment has arrived since the caller read the subscription: the member keeps it.
    await syncSubscription(context, id, { lease });
    if (status !== 'incomplete') await whenActive?.();
    throw paymentProcessing();
  }
  if (invoice?.status === 'open') await voidInvoice(client, invoice.id);
  if (status === 'incomplete' && invoice?.status === 'open') return true;
  if (status === 'canceled' || status === 'incomplete_expired')
    // It has ended, so that only its invoices can differ from what was read.
    await syncSubscription(context, id, { lease, object: subscription });
  else {
    const details = comment === undefined ? {} : { cancellation_details: { comment } };
    const canceled = await callStripe(() => client.subscriptions.cancel(id, { ...details, ...WITH_INVOICE }));
    await applySubscription(context, canceled, lease);
  }
  await voidOpenInvoices(context, lease);
  return true;
}

async function findRow(db: Database, rowId: string): Promise<StoredSubscription | null> {
  const row = await db.selectFrom('subscriptions').selectAll().where('id', '=', rowId).executeTakeFirst();
  return row ?? null;
}

/**
 * Cancels a subscription at Stripe whose grace has ended, and voids its open invoices, so that Stripe no longer charges a
 * member who has no Pro any more. Reads it afresh first: a payment in time keeps it. Of a subscription that Stripe has
 * canceled already, only the invoices are voided. Throws `BadGateway`, `Unavailable`.
 */
export async function endUnpaidSubscription(context: PaymentsContext, rowId: string): Promise<SyncResult> {
  await requireOurAccount(context);
  const before = await findRow(context.db, rowId);
  const stripeId = before?.stripe_subscription_id ?? null;
  if (before === null || stripeId === null) return 'ignored';
  const result = await withCustomerLease(context, before.user_id, async (lease) => {
    const first = await syncSubscription(context, stripeId, { lease });
    if (first === 'missing') return first;
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
