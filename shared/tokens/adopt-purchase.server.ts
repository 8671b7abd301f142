import type { Selectable } from 'kysely';
import type Stripe from 'stripe';
import { toIso } from '../clock';
import type { TokenPackagesTable } from '../database/tables/payments/tokens';
import { inTransaction } from '../database/transaction';
import { findOwner, linkOwner, type LostObject } from '../payments/adoption.server';
import type { CustomerLease } from '../payments/customer-lease.server';
import { idOf, readOurMetadata, type OurMetadata } from '../payments/our-objects';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { callStripe } from '../payments/stripe-errors';
import { syncPurchase } from './sync-purchase.server';

const PAGE = 100;

type Package = Selectable<TokenPackagesTable>;

/** A payment of tokens whose row is missing, with what its row is made of. */
interface LostPurchase extends LostObject {
  metadata: OurMetadata;
  stripeCustomerId: string;
  package: Package | null;
}

async function isStored({ db }: PaymentsContext, stripeId: string): Promise<boolean> {
  const row = await db
    .selectFrom('token_purchases')
    .select('id')
    .where('stripe_payment_intent_id', '=', stripeId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The package that was bought, also a retired one: by the metadata, or by name and price. */
async function findPackage(
  { db }: PaymentsContext,
  { amount, description }: Stripe.PaymentIntent,
  { package: packageId }: OurMetadata,
): Promise<Package | null> {
  const all = await db
    .selectFrom('token_packages')
    .selectAll()
    .where('price_pence', '=', amount)
    .orderBy('id')
    .execute();
  const named = all.find(({ id, name }) =>
    packageId === undefined ? name === description : id === packageId,
  );
  return named ?? (all.length === 1 ? (all[0] ?? null) : null);
}

/** Describes one of our payments that succeeded and has no row; null for every other one. */
export async function describeLostPurchase(
  context: PaymentsContext,
  intent: Stripe.PaymentIntent,
): Promise<LostPurchase | null> {
  const { id: stripeId, status, created, amount, currency } = intent;
  const metadata = readOurMetadata(intent, requireStripe(context).config);
  const stripeCustomerId = idOf(intent.customer);
  if (metadata?.kind !== 'tokens' || stripeCustomerId === null || status !== 'succeeded') return null;
  if (await isStored(context, stripeId)) return null;
  const accountId = await findOwner(context.db, { user: metadata.user, stripeCustomerId });
  const bought = currency === 'gbp' ? await findPackage(context, intent, metadata) : null;
  let obstacle: string | null = null;
  if (accountId === null) obstacle = `the database has no account ${metadata.user}`;
  else if (bought === null) obstacle = 'none of our token packages has its price';
  return {
    ...{ kind: 'tokens', stripeId, status, amountPence: amount, created },
    ...{ accountId, obstacle, metadata, stripeCustomerId, package: bought },
  };
}

/**
 * Makes the row of a lost payment again and writes Stripe's state, which credits its tokens once, without mails: what it
 * says happened before. Does nothing for one with an obstacle. Throws `BadGateway`, `Unavailable`.
 */
export async function adoptPurchase(
  context: PaymentsContext,
  lost: LostPurchase,
  lease?: CustomerLease,
): Promise<void> {
  const { accountId, stripeId, stripeCustomerId, metadata, package: bought } = lost;
  if (accountId === null || bought === null) return;
  await linkOwner(context, { accountId, stripeCustomerId });
  await inTransaction(context.db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('token_purchases')
      .set({ stripe_payment_intent_id: stripeId })
      .where('id', '=', metadata.row)
      .where('user_id', '=', accountId)
      .where('stripe_payment_intent_id', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return;
    await trx
      .insertInto('token_purchases')
      .values({
        id: metadata.row,
        user_id: accountId,
        package_id: bought.id,
        package_name: bought.name,
        token_count: bought.token_count,
        amount_pence: lost.amountPence,
        // The sync writes the true one. An account may have another purchase that is pending.
        status: 'abandoned',
        stripe_payment_intent_id: stripeId,
        created_at: toIso(lost.created * 1_000),
        updated_at: toIso(context.clock.now()),
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  });
  await syncPurchase(context, stripeId, { ...(lease === undefined ? {} : { lease }), quiet: true });
}

/** Adopts the newest payments of a customer whose rows are missing, at most a hundred. Returns how many. */
export async function adoptPurchasesOf(
  context: PaymentsContext,
  { stripeCustomerId, lease }: { stripeCustomerId: string; lease: CustomerLease },
): Promise<number> {
  const { client } = requireStripe(context);
  const { data } = await callStripe(() =>
    client.paymentIntents.list({ customer: stripeCustomerId, limit: PAGE }),
  );
  let adopted = 0;
  for (const intent of data) {
    const lost = await describeLostPurchase(context, intent);
    if (lost === null || lost.obstacle !== null || lost.accountId !== lease.accountId) continue;
    await adoptPurchase(context, lost, lease);
    adopted += 1;
  }
  return adopted;
}
