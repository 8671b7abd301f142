import type Stripe from 'stripe';
import { toIso } from '../../clock';
import type { Database, Transaction } from '../../database/schema';
import type { CustomerLease } from '../../payments/customer-lease.server';
import { findAccountOfCustomer } from '../../payments/customers.server';
import { idOf, readOurMetadata } from '../../payments/our-objects';
import { requireStripe, type PaymentsContext } from '../../payments/payments-context';
import { findAtStripe, isReplayed } from '../../payments/stripe-errors';
import {
  createCheckoutSync,
  createSync,
  differs,
  type Written,
} from '../../payments/sync-with-stripe.server';
import { requestRolesOf } from '../../roles/request-roles';
import type { StoredSubscription } from '../membership';
import { previewRenewal } from './preview-renewal.server';
import {
  invoiceTermsOf,
  readAround,
  termsOf,
  type InvoiceTerms,
  type StripeTerms,
  type SubscriptionReading,
} from './stripe-subscription.server';
import { mailsFor, type SubscriptionChange } from './subscription-mails';

async function findByStripeId(db: Database, stripeId: string): Promise<StoredSubscription | null> {
  const row = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('stripe_subscription_id', '=', stripeId)
    .executeTakeFirst();
  return row ?? null;
}

/** The plan of one of these prices at Stripe; null when none is ours. */
async function findPackageByPrices(db: Database, prices: readonly string[]): Promise<string | null> {
  if (prices.length === 0) return null;
  const row = await db
    .selectFrom('subscription_packages')
    .select('id')
    .where('stripe_price_id', 'in', prices)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The plan of a subscription's price; null for a price that is not ours. */
export const findPackageOfPrice = (db: Database, { items }: Stripe.Subscription): Promise<string | null> =>
  findPackageByPrices(
    db,
    items.data.map(({ price }) => price.id),
  );

/** The plan that a schedule sets from the next renewal on; null when it stays `packageId`. */
async function findNextPackage(
  db: Database,
  renewal: SubscriptionReading['renewal'],
  packageId: string,
): Promise<string | null> {
  if (renewal == null || renewal.priceId === null) return null;
  const next = await findPackageByPrices(db, [renewal.priceId]);
  return next === packageId ? null : next;
}

/**
 * Our attempt that created a subscription at Stripe: named by its metadata, paid by the same account, for one of
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
  trx: Transaction,
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

/** Whether it ended because it was not paid: Stripe gives that reason, or its last renewal was never paid. */
function endedUnpaid({ subscription, invoices }: SubscriptionReading): boolean {
  if (subscription.cancellation_details?.reason === 'payment_failed' || subscription.status === 'unpaid')
    return true;
  const latest = invoices.find(({ id }) => id === idOf(subscription.latest_invoice));
  return latest?.billing_reason === 'subscription_cycle' && latest.status !== 'paid';
}

/** An abandoned attempt stays abandoned until it is paid: another attempt may be open. */
function statusToStore(row: StoredSubscription, terms: StripeTerms): StripeTerms {
  return row.status === 'abandoned' && terms.status === 'incomplete'
    ? { ...terms, status: 'abandoned' }
    : terms;
}

async function write(
  trx: Transaction,
  row: StoredSubscription,
  reading: SubscriptionReading,
  now: number,
): Promise<Written> {
  // A price that is not ours, set at Stripe's dashboard, changes the terms but not the plan.
  const packageId = (await findPackageOfPrice(trx, reading.subscription)) ?? row.package_id;
  const terms = statusToStore(row, termsOf(reading));
  // What was not read stays, as old as it is: the event that follows has it read.
  const keepsRenewal = reading.renewal === undefined;
  const columns = {
    ...terms,
    ...(keepsRenewal ? { renewal_pence: row.renewal_pence, renewal_at: row.renewal_at } : {}),
    package_id: packageId,
    renewal_package_id: keepsRenewal
      ? row.renewal_package_id
      : await findNextPackage(trx, reading.renewal, packageId),
    stripe_subscription_id: reading.subscription.id,
    missing_since: null,
  };
  const changed = differs(row, columns);
  const stamp = toIso(now);
  await trx
    .updateTable('subscriptions')
    .set({
      ...columns,
      synced_at: stamp,
      ...(keepsRenewal ? {} : { renewal_read_at: stamp }),
      ...(changed ? { updated_at: stamp } : {}),
    })
    .where('id', '=', row.id)
    .execute();
  if (changed) await requestRolesOf(trx, row.user_id, now);
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
  return { changed: changed || invoices.length > 0, mails: mailsFor(change, now) };
}

async function noteMissing(trx: Transaction, row: StoredSubscription, now: number): Promise<void> {
  const stamp = toIso(now);
  await trx
    .updateTable('subscriptions')
    .set({ missing_since: row.missing_since ?? stamp, synced_at: stamp })
    .where('id', '=', row.id)
    .execute();
}

/** Writes a subscription with its invoices (see `createSync`). Throws `BadGateway`, `Unavailable`. */
const subscriptions = createSync({
  retrieve: ({ client }, id) => findAtStripe(() => client.subscriptions.retrieve(id)),
  read: readAround,
  objectOf: ({ subscription }: SubscriptionReading) => subscription,
  findRow: findByStripeId,
  findAttempt,
  write,
  noteMissing,
});
export const syncSubscription = subscriptions.sync;

/**
 * Writes a subscription that Stripe has just answered, with its expanded latest invoice; other invoices stay as they are.
 * Reads everything afresh when that invoice is open, because its payment decides what the member has to do, and when the
 * answer is a repeated one. Throws as `syncSubscription`.
 */
export async function applySubscription(
  context: PaymentsContext,
  subscription: Stripe.Response<Stripe.Subscription>,
  lease: CustomerLease,
): Promise<void> {
  const { id: stripeId, latest_invoice: latest, status } = subscription;
  const isWhole = latest !== null && typeof latest !== 'string' && !isReplayed(subscription);
  const owes = latest !== null && (status === 'past_due' || status === 'unpaid');
  if (!isWhole || owes || (latest.status === 'open' && status !== 'incomplete')) {
    await syncSubscription(context, stripeId, { lease });
    return;
  }
  const row = await findByStripeId(context.db, stripeId);
  const changesPlan = row?.package_id !== (await findPackageOfPrice(context.db, subscription));
  const renewal = changesPlan ? await previewRenewal(requireStripe(context), subscription) : undefined;
  const reading = { subscription, invoices: [latest], waitsForConfirmation: false, renewal };
  await subscriptions.apply(context, { stripeId, reading }, lease);
}

/** The same for the attempt of a hosted Checkout session. An attempt whose session expired is abandoned. */
export const syncSubscriptionCheckout = createCheckoutSync({
  kind: 'subscription',
  objectIdOf: ({ subscription }) => idOf(subscription),
  sync: syncSubscription,
  async writeNote(trx, sessionId, note) {
    const { numUpdatedRows } = await trx
      .updateTable('subscriptions')
      .set(note)
      .where('stripe_checkout_session_id', '=', sessionId)
      .where('stripe_subscription_id', 'is', null)
      .where('status', '=', 'creating')
      .executeTakeFirstOrThrow();
    return numUpdatedRows;
  },
});
