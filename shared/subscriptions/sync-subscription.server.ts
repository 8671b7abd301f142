import type { Kysely, Transaction } from 'kysely';
import type Stripe from 'stripe';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { addPaymentMails } from '../payments/add-payment-mails';
import { requireLease, withCustomerLease, type CustomerLease } from '../payments/customer-lease.server';
import { findAccountOfCustomer } from '../payments/customers.server';
import { idOf, readOurMetadata } from '../payments/our-objects';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { findAtStripe } from '../payments/stripe-errors';
import type { SyncResult } from '../payments/sync-result';
import type { DueDelivery } from '../queues/catalogue';
import type { StoredSubscription } from './membership';
import {
  invoiceTermsOf,
  readAtStripe,
  termsOf,
  type InvoiceTerms,
  type StripeTerms,
  type SubscriptionReading,
} from './stripe-subscription.server';
import { mailsFor, type SubscriptionChange } from './subscription-mails';

async function findByStripeId(db: Kysely<Schema>, stripeId: string): Promise<StoredSubscription | null> {
  const row = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('stripe_subscription_id', '=', stripeId)
    .executeTakeFirst();
  return row ?? null;
}

async function findPackageOfPrice(
  db: Kysely<Schema>,
  { items }: Stripe.Subscription,
): Promise<string | null> {
  const prices = items.data.map(({ price }) => price.id);
  if (prices.length === 0) return null;
  const row = await db
    .selectFrom('subscription_packages')
    .select('id')
    .where('stripe_price_id', 'in', prices)
    .executeTakeFirst();
  return row?.id ?? null;
}

/**
 * The attempt of ours that created a subscription at Stripe: named by its metadata, paid by the same account, for one of
 * our prices, and without another subscription. Null for foreign subscriptions.
 */
async function findAttempt(
  { db, stripe }: PaymentsContext,
  subscription: Stripe.Subscription,
): Promise<StoredSubscription | null> {
  const ours = readOurMetadata(subscription, requireStripe({ stripe }).config);
  if (ours?.kind !== 'subscription') return null;
  const customer = idOf(subscription.customer);
  if (customer === null || (await findAccountOfCustomer(db, customer)) !== ours.user) return null;
  if ((await findPackageOfPrice(db, subscription)) === null) return null;
  const row = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('id', '=', ours.row)
    .where('user_id', '=', ours.user)
    .where('stripe_subscription_id', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** Stores the invoices, and returns each as it was before. */
async function writeInvoices(
  trx: Transaction<Schema>,
  subscriptionId: string,
  invoices: readonly InvoiceTerms[],
  now: number,
): Promise<SubscriptionChange['invoices']> {
  const stored = await trx
    .selectFrom('subscription_invoices')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .execute();
  const written: SubscriptionChange['invoices'] = [];
  for (const after of invoices) {
    const before = stored.find(({ id }) => id === after.id) ?? null;
    if (before !== null && !differs(before, after)) continue;
    const { id, created_at, ...terms } = after;
    await trx
      .insertInto('subscription_invoices')
      .values({ id, subscription_id: subscriptionId, created_at, ...terms, updated_at: toIso(now) })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...terms, updated_at: toIso(now) }))
      .execute();
    written.push({ before, after });
  }
  return written;
}

function differs(before: object, after: object): boolean {
  const stored = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after).some(([column, value]) => stored.get(column) !== value);
}

/** Ended because it was not paid: Stripe says so, or its last renewal was never paid. */
function endedUnpaid({ subscription, invoices }: SubscriptionReading): boolean {
  if (subscription.cancellation_details?.reason === 'payment_failed' || subscription.status === 'unpaid')
    return true;
  const latest = invoices.find(({ id }) => id === idOf(subscription.latest_invoice));
  return latest?.billing_reason === 'subscription_cycle' && latest.status !== 'paid';
}

/** An attempt that was given up stays so until it is paid: another attempt may be open. */
function statusToStore(row: StoredSubscription, terms: StripeTerms): StripeTerms {
  return row.status === 'abandoned' && terms.status === 'incomplete'
    ? { ...terms, status: 'abandoned' }
    : terms;
}

interface Written {
  changed: boolean;
  mails: DueDelivery[];
}

async function write(
  trx: Transaction<Schema>,
  row: StoredSubscription,
  reading: SubscriptionReading,
  now: number,
): Promise<Written> {
  // A price that is not ours, set at Stripe's dashboard, changes the terms but not the plan.
  const packageId = (await findPackageOfPrice(trx, reading.subscription)) ?? row.package_id;
  const terms = statusToStore(row, termsOf(reading));
  const columns = { ...terms, package_id: packageId, stripe_subscription_id: reading.subscription.id };
  const changed = differs(row, columns);
  await trx
    .updateTable('subscriptions')
    .set({ ...columns, synced_at: toIso(now), ...(changed ? { updated_at: toIso(now) } : {}) })
    .where('id', '=', row.id)
    .execute();
  const invoices = await writeInvoices(trx, row.id, invoiceTermsOf(reading), now);
  const { name } = await trx
    .selectFrom('subscription_packages')
    .select('name')
    .where('id', '=', packageId)
    .executeTakeFirstOrThrow();
  const change = {
    packageName: name,
    before: row.stripe_subscription_id === null ? null : row,
    after: terms,
    endedUnpaid: endedUnpaid(reading),
    invoices,
  };
  const mails = mailsFor(change, now);
  return {
    changed: changed || invoices.length > 0,
    mails: await addPaymentMails(trx, { accountId: row.user_id, mails, now }),
  };
}

/** Stripe keeps canceled subscriptions, so one that it does not have was removed with its test data. */
async function writeMissing(
  trx: Transaction<Schema>,
  row: StoredSubscription,
  now: number,
): Promise<Written> {
  const stamp = toIso(now);
  const ended = { status: 'canceled', needs_confirmation: 0, grace_until: null } as const;
  const changed = differs(row, ended);
  await trx
    .updateTable('subscriptions')
    .set({
      ...ended,
      ended_at: row.ended_at ?? stamp,
      synced_at: stamp,
      ...(changed ? { updated_at: stamp } : {}),
    })
    .where('id', '=', row.id)
    .execute();
  return { changed, mails: [] };
}

async function readAndWrite(
  context: PaymentsContext,
  stripeSubscriptionId: string,
  lease: CustomerLease,
): Promise<SyncResult> {
  const { db, clock, mail } = context;
  const reading = await readAtStripe(requireStripe(context), stripeSubscriptionId);
  const written = await inTransaction(db, async (trx) => {
    await requireLease(trx, lease);
    const row =
      (await findByStripeId(trx, stripeSubscriptionId)) ??
      (reading === null ? null : await findAttempt({ ...context, db: trx }, reading.subscription));
    if (row === null || row.user_id !== lease.accountId) return null;
    const now = clock.now();
    return reading === null ? writeMissing(trx, row, now) : write(trx, row, reading, now);
  });
  if (written === null) return 'ignored';
  mail.notifyQueue(written.mails);
  return written.changed ? 'changed' : 'unchanged';
}

/** The account that a subscription belongs to; null for foreign ones. */
async function findAccount(context: PaymentsContext, stripeSubscriptionId: string): Promise<string | null> {
  const row = await findByStripeId(context.db, stripeSubscriptionId);
  if (row !== null) return row.user_id;
  const { client } = requireStripe(context);
  const subscription = await findAtStripe(() => client.subscriptions.retrieve(stripeSubscriptionId));
  if (subscription === null) return null;
  return (await findAttempt(context, subscription))?.user_id ?? null;
}

/**
 * Reads a subscription with its invoices afresh from Stripe, and writes what it says in one transaction, with the mails
 * that report the change. `lease`: the lease that the caller holds. Ignores foreign subscriptions. Throws `BadGateway`,
 * `Unavailable`.
 */
export async function syncSubscription(
  context: PaymentsContext,
  stripeSubscriptionId: string,
  lease?: CustomerLease,
): Promise<SyncResult> {
  if (lease !== undefined) return readAndWrite(context, stripeSubscriptionId, lease);
  const accountId = await findAccount(context, stripeSubscriptionId);
  if (accountId === null) return 'ignored';
  const result = await withCustomerLease(context, accountId, (taken) =>
    readAndWrite(context, stripeSubscriptionId, taken),
  );
  return result ?? 'ignored';
}

/** Notes that a Checkout session without a payment was read, and gives up the attempt of one that expired. */
async function noteSession(
  { db, clock }: PaymentsContext,
  session: Stripe.Checkout.Session,
): Promise<SyncResult> {
  const now = toIso(clock.now());
  const isOver = session.status === 'expired';
  const { numUpdatedRows } = await inTransaction(db, (trx) =>
    trx
      .updateTable('subscriptions')
      .set({ synced_at: now, ...(isOver ? { status: 'abandoned' as const, updated_at: now } : {}) })
      .where('stripe_checkout_session_id', '=', session.id)
      .where('stripe_subscription_id', 'is', null)
      .where('status', '=', 'creating')
      .executeTakeFirstOrThrow(),
  );
  return isOver && numUpdatedRows > 0n ? 'changed' : 'unchanged';
}

/** The same for the attempt of a hosted Checkout session. An attempt whose session expired is abandoned. */
export async function syncSubscriptionCheckout(
  context: PaymentsContext,
  stripeSessionId: string,
  lease?: CustomerLease,
): Promise<SyncResult> {
  const { client, config } = requireStripe(context);
  const session = await findAtStripe(() => client.checkout.sessions.retrieve(stripeSessionId));
  if (session === null || readOurMetadata(session, config)?.kind !== 'subscription') return 'ignored';
  const subscription = idOf(session.subscription);
  if (subscription !== null) return syncSubscription(context, subscription, lease);
  return noteSession(context, session);
}
