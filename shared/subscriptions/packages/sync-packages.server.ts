import type { Selectable } from 'kysely';
import type Stripe from 'stripe';
import { toIso } from '../../clock';
import type { SubscriptionPackagesTable } from '../../database/tables/payments/subscriptions';
import { inTransaction } from '../../database/transaction';
import { formatPounds } from '../../money';
import type { PaymentsContext } from '../../payments/payments-context';
import { requireOurAccount } from '../../payments/stripe-account.server';
import { callStripe, findAtStripe } from '../../payments/stripe-errors';

type StoredPackage = Selectable<SubscriptionPackagesTable>;

const CURRENCY = 'gbp';

/** The result for one plan. */
export interface SyncedPackage {
  id: string;
  stripePriceId: string | null;
  /** created: product or price were made now; missing: the stored price does not exist at Stripe. */
  outcome: 'created' | 'unchanged' | 'missing';
  /** Why it cannot be sold; null: it can. */
  fault: string | null;
}

function metadataOf(plan: StoredPackage) {
  return { app: 'packwatch', kind: 'subscription_package', row: plan.id };
}

/** We choose the product id, so repeated and concurrent calls create the product once. */
async function ensureProduct(stripe: Stripe, plan: StoredPackage): Promise<string> {
  const id = `packwatch-${plan.id}`;
  const found = await findAtStripe(() => stripe.products.retrieve(id));
  if (found !== null) return found.id;
  const created = await stripe.products.create(
    { id, name: plan.name, description: plan.description, metadata: metadataOf(plan) },
    { idempotencyKey: `product-${plan.id}` },
  );
  return created.id;
}

/** The price with our lookup key, created if missing. The idempotency key keeps concurrent syncs from creating two. */
async function ensurePrice(
  stripe: Stripe,
  plan: StoredPackage,
): Promise<{ price: Stripe.Price; created: boolean }> {
  const key = `packwatch-${plan.id}`;
  const { data } = await stripe.prices.list({ lookup_keys: [key], limit: 1 });
  if (data[0] !== undefined) return { price: data[0], created: false };
  const product = await ensureProduct(stripe, plan);
  const price = await stripe.prices.create(
    {
      product,
      currency: CURRENCY,
      unit_amount: plan.price_pence,
      recurring: { interval: 'day', interval_count: plan.duration_days },
      lookup_key: key,
      metadata: metadataOf(plan),
    },
    { idempotencyKey: `price-${plan.id}-${plan.price_pence}-${plan.duration_days}` },
  );
  return { price, created: true };
}

function describeTerms(price: Stripe.Price): string {
  const amount =
    price.unit_amount === null
      ? 'an amount that is not fixed'
      : price.currency === CURRENCY
        ? formatPounds(price.unit_amount)
        : `${price.unit_amount} (smallest unit of ${price.currency.toUpperCase()})`;
  if (price.recurring === null) return `${amount} once`;
  return `${amount} every ${price.recurring.interval_count} ${price.recurring.interval}(s)`;
}

/** Why a plan cannot be sold for this price of Stripe's; null when they agree. */
function findFault(plan: StoredPackage, price: Stripe.Price): string | null {
  const agrees =
    price.unit_amount === plan.price_pence &&
    price.currency === CURRENCY &&
    price.recurring?.interval === 'day' &&
    price.recurring.interval_count === plan.duration_days;
  if (!agrees)
    return `Stripe's price ${price.id} is ${describeTerms(price)}, but ${plan.name} is ${formatPounds(plan.price_pence)} every ${plan.duration_days} day(s). Add a package with the right price, and retire this one.`;
  if (!price.active)
    return `Stripe's price ${price.id} of ${plan.name} is archived. Activate it in Stripe's dashboard, then sync again.`;
  return null;
}

async function syncPackage(
  stripe: Stripe,
  plan: StoredPackage,
  recreate: boolean,
): Promise<SyncedPackage & { productId: string | null }> {
  const { stripe_price_id: priceId } = plan;
  const stored = priceId === null ? null : await findAtStripe(() => stripe.prices.retrieve(priceId));
  if (stored === null && plan.stripe_price_id !== null && !recreate)
    return {
      id: plan.id,
      stripePriceId: plan.stripe_price_id,
      productId: plan.stripe_product_id,
      outcome: 'missing',
      fault: `Stripe has no price ${plan.stripe_price_id}: was it made with another key? "npm run packages -- sync" makes it again.`,
    };
  const { price, created } =
    stored === null ? await ensurePrice(stripe, plan) : { price: stored, created: false };
  return {
    id: plan.id,
    stripePriceId: price.id,
    productId: typeof price.product === 'string' ? price.product : price.product.id,
    outcome: created ? 'created' : 'unchanged',
    fault: findFault(plan, price),
  };
}

/**
 * Makes one product and one recurring price at Stripe for each plan that has none, and reads all others again. A plan
 * whose price differs in amount, currency or duration, or is archived, gets `stripe_fault`, and cannot be sold while it
 * has one. Runs when the daemon starts, so that a new installation can sell at once, and as `npm run packages -- sync`,
 * which with `recreate` also replaces a price that Stripe does not know. Throws `Unavailable` or `BadGateway` (Stripe).
 */
export async function syncPackages(
  context: PaymentsContext,
  { recreate = false }: { recreate?: boolean } = {},
): Promise<SyncedPackage[]> {
  const { client } = await requireOurAccount(context);
  const plans = await context.db
    .selectFrom('subscription_packages')
    .selectAll()
    .where('retired_at', 'is', null)
    .orderBy('price_pence')
    .orderBy('id')
    .execute();
  const synced: SyncedPackage[] = [];
  for (const plan of plans) {
    const { productId, ...result } = await callStripe(() => syncPackage(client, plan, recreate));
    await inTransaction(context.db, (trx) =>
      trx
        .updateTable('subscription_packages')
        .set({
          stripe_product_id: productId,
          stripe_price_id: result.stripePriceId,
          stripe_fault: result.fault,
          updated_at: toIso(context.clock.now()),
        })
        .where('id', '=', plan.id)
        .execute(),
    );
    synced.push(result);
  }
  return synced;
}
