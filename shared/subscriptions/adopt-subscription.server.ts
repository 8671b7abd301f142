import type Stripe from 'stripe';
import { toIso } from '../clock';
import { inTransaction } from '../database/transaction';
import { findOwner, linkOwner, type LostObject } from '../payments/adoption.server';
import type { CustomerLease } from '../payments/customer-lease.server';
import { idOf, readOurMetadata, type OurMetadata } from '../payments/our-objects';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { callStripe } from '../payments/stripe-errors';
import { findPackageOfPrice, syncSubscription } from './sync/sync-subscription.server';

const PAGE = 100;
/** Nothing was paid, so there is nothing to make again. */
const UNPAID = new Set<Stripe.Subscription.Status>(['incomplete', 'incomplete_expired']);

/** A subscription whose row is missing, with what its row is made of. */
interface LostSubscription extends LostObject {
  metadata: OurMetadata;
  stripeCustomerId: string;
  packageId: string | null;
}

async function isStored({ db }: PaymentsContext, stripeId: string): Promise<boolean> {
  const row = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('stripe_subscription_id', '=', stripeId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The plan of a subscription: by its price, or by the id that we chose for its product. */
async function findPackage(
  { db }: PaymentsContext,
  subscription: Stripe.Subscription,
): Promise<string | null> {
  const known = await findPackageOfPrice(db, subscription);
  if (known !== null) return known;
  const product = idOf(subscription.items.data[0]?.price.product);
  const row = await db
    .selectFrom('subscription_packages')
    .select('id')
    .where('id', '=', product?.replace(/^packwatch-/, '') ?? '')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Describes one of our subscriptions that was paid and has no row; null for every other one. */
export async function describeLostSubscription(
  context: PaymentsContext,
  subscription: Stripe.Subscription,
): Promise<LostSubscription | null> {
  const { id: stripeId, status, created, items } = subscription;
  const metadata = readOurMetadata(subscription, requireStripe(context).config);
  const stripeCustomerId = idOf(subscription.customer);
  if (metadata?.kind !== 'subscription' || stripeCustomerId === null || UNPAID.has(status)) return null;
  if (await isStored(context, stripeId)) return null;
  const accountId = await findOwner(context.db, { user: metadata.user, stripeCustomerId });
  const packageId = await findPackage(context, subscription);
  let obstacle: string | null = null;
  if (accountId === null) obstacle = `the database has no account ${metadata.user}`;
  else if (packageId === null) obstacle = 'its price is of none of our plans';
  const amountPence = items.data[0]?.price.unit_amount ?? 0;
  return {
    ...{ kind: 'subscription', stripeId, status, amountPence, created },
    ...{ accountId, obstacle, metadata, stripeCustomerId, packageId },
  };
}

/**
 * Makes the row of a lost subscription again and writes Stripe's state, without mails: what it says happened before. Does
 * nothing for one with an obstacle. Throws `BadGateway`, `Unavailable`.
 */
export async function adoptSubscription(
  context: PaymentsContext,
  lost: LostSubscription,
  lease?: CustomerLease,
): Promise<void> {
  const { accountId, packageId, stripeId, stripeCustomerId, metadata } = lost;
  if (accountId === null || packageId === null) return;
  await linkOwner(context, { accountId, stripeCustomerId });
  const stamp = toIso(context.clock.now());
  await inTransaction(context.db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('subscriptions')
      .set({ stripe_subscription_id: stripeId })
      .where('id', '=', metadata.row)
      .where('user_id', '=', accountId)
      .where('stripe_subscription_id', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return;
    await trx
      .insertInto('subscriptions')
      .values({
        id: metadata.row,
        user_id: accountId,
        package_id: packageId,
        stripe_subscription_id: stripeId,
        // The sync writes the true one. An account may have another attempt that is open.
        status: 'abandoned',
        created_at: toIso(lost.created * 1_000),
        updated_at: stamp,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  });
  await syncSubscription(context, stripeId, { ...(lease === undefined ? {} : { lease }), quiet: true });
}

/** The subscriptions of a customer that have not ended and whose rows are missing. */
export async function listLostSubscriptions(
  context: PaymentsContext,
  { stripeCustomerId, lease }: { stripeCustomerId: string; lease: CustomerLease },
): Promise<LostSubscription[]> {
  const { client } = requireStripe(context);
  const { data } = await callStripe(() =>
    client.subscriptions.list({ customer: stripeCustomerId, limit: PAGE }),
  );
  const lost: LostSubscription[] = [];
  for (const subscription of data) {
    const found = await describeLostSubscription(context, subscription);
    if (found !== null && found.obstacle === null && found.accountId === lease.accountId) lost.push(found);
  }
  return lost;
}
