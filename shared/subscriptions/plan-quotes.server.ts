import { sql, type Selectable } from 'kysely';
import Stripe from 'stripe';
import { MINUTE, SECOND, toIso, DAY } from '../clock';
import type { Database } from '../database/schema';
import type { PlanQuotesTable } from '../database/tables/payments/subscriptions';
import { inTransaction } from '../database/transaction';
import { newId } from '../ids';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { callStripe } from '../payments/stripe-errors';
import type { StoredSubscription } from './membership';
import type { SellablePlan } from './packages/subscription-packages';
import { deleteOlder } from '../database/delete-in-batches';

/** A literal, so that SQLite uses the partial index of open quotes. */
const isOpen = sql<boolean>`plan_quotes.status = 'open'`;

export type StoredQuote = Selectable<PlanQuotesTable>;

/** What a change of plan costs now. All amounts in pence. */
export interface PlanQuote {
  id: string;
  currentPlan: { name: string; durationDays: number };
  newPlan: { name: string; pricePence: number; durationDays: number };
  /** The unused value of the current plan. */
  remainingPence: number;
  /** Due now; negative: a credit. */
  proratedPence: number;
  expiresAt: string;
}

const QUOTE_LIFETIME_MS = 15 * MINUTE;

/** A change of plan that is possible now. */
export interface PlanChange {
  row: StoredSubscription;
  /** As Stripe has it now. */
  subscription: Stripe.Subscription;
  /** The single item of the subscription. */
  item: Stripe.SubscriptionItem;
  plan: SellablePlan;
}

type ChangeAmounts = Pick<PlanQuote, 'remainingPence' | 'proratedPence'>;

/**
 * Stripe's preview of a change at `prorationAt` (epoch seconds). What is due now is the invoice's amount due, which a
 * credit of the customer has reduced; a negative total becomes such a credit (docs.stripe.com/billing/subscriptions/
 * prorations).
 */
async function previewChange(
  context: PaymentsContext,
  { row, item, plan }: PlanChange,
  prorationAt: number,
): Promise<ChangeAmounts> {
  const { client } = requireStripe(context);
  const preview = await callStripe(() =>
    client.invoices.createPreview({
      subscription: row.stripe_subscription_id ?? '',
      subscription_details: {
        items: [{ id: item.id, price: plan.stripe_price_id }],
        proration_behavior: 'always_invoice',
        proration_date: prorationAt,
      },
    }),
  );
  const credits = preview.lines.data.filter(
    ({ amount, parent }) =>
      amount < 0 &&
      (parent?.subscription_item_details?.proration === true ||
        parent?.invoice_item_details?.proration === true),
  );
  return {
    remainingPence: credits.reduce((sum, { amount }) => sum - amount, 0),
    proratedPence: preview.total < 0 ? preview.total : preview.amount_due,
  };
}

/** Previews a change as of now, and stores it as the open quote; an earlier one for the same plan is replaced. */
export async function createQuote(context: PaymentsContext, change: PlanChange): Promise<StoredQuote> {
  const { row, item, plan } = change;
  const now = context.clock.now();
  // Stripe refuses a time outside the period; its clock, which set the period, may differ from ours.
  const prorationAt = Math.min(
    Math.max(Math.floor(now / SECOND), item.current_period_start),
    item.current_period_end - 1,
  );
  const amounts = await previewChange(context, change, prorationAt);
  return inTransaction(context.db, async (trx) => {
    await trx
      .updateTable('plan_quotes')
      .set({ status: 'replaced' })
      .where('user_id', '=', row.user_id)
      .where('new_package_id', '=', plan.id)
      .where(isOpen)
      .execute();
    return trx
      .insertInto('plan_quotes')
      .values({
        id: newId(),
        user_id: row.user_id,
        subscription_id: row.id,
        from_package_id: row.package_id,
        new_package_id: plan.id,
        proration_at: prorationAt,
        remaining_pence: amounts.remainingPence,
        prorated_pence: amounts.proratedPence,
        status: 'open',
        created_at: toIso(now),
        expires_at: toIso(now + QUOTE_LIFETIME_MS),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** The open quote of an account for a change to `newPackageId` that is valid at `now` (epoch ms); null if there is none. */
export async function findOpenQuote(
  db: Database,
  { accountId, newPackageId, now }: { accountId: string; newPackageId: string; now: number },
): Promise<PlanQuote | null> {
  const row = await db
    .selectFrom('plan_quotes')
    .innerJoin('subscription_packages as old', 'old.id', 'plan_quotes.from_package_id')
    .innerJoin('subscription_packages as new', 'new.id', 'plan_quotes.new_package_id')
    .select([
      'plan_quotes.id',
      'plan_quotes.remaining_pence',
      'plan_quotes.prorated_pence',
      'plan_quotes.expires_at',
      'old.name as old_name',
      'old.duration_days as old_days',
      'new.name as new_name',
      'new.price_pence as new_price',
      'new.duration_days as new_days',
    ])
    .where('plan_quotes.user_id', '=', accountId)
    .where('plan_quotes.new_package_id', '=', newPackageId)
    .where(isOpen)
    .where('plan_quotes.expires_at', '>', toIso(now))
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id,
    currentPlan: { name: row.old_name, durationDays: row.old_days },
    newPlan: { name: row.new_name, pricePence: row.new_price, durationDays: row.new_days },
    remainingPence: row.remaining_pence,
    proratedPence: row.prorated_pence,
    expiresAt: row.expires_at,
  };
}

/** The quote with this id, or the open one, of the same account, subscription and change; null for any other. */
export async function findQuoteFor(
  { db }: PaymentsContext,
  { row, plan }: PlanChange,
  quoteId: string | undefined,
): Promise<StoredQuote | null> {
  const quotes = db
    .selectFrom('plan_quotes')
    .selectAll()
    .where('user_id', '=', row.user_id)
    .where('subscription_id', '=', row.id)
    .where('from_package_id', '=', row.package_id)
    .where('new_package_id', '=', plan.id);
  const found = await (
    quoteId === undefined ? quotes.where(isOpen) : quotes.where('id', '=', quoteId)
  ).executeTakeFirst();
  return found ?? null;
}

/** Whether Stripe would still charge exactly the amounts of an open quote. */
export async function isUpToDate(
  context: PaymentsContext,
  change: PlanChange,
  quote: StoredQuote,
): Promise<boolean> {
  if (quote.status !== 'open' || quote.expires_at <= toIso(context.clock.now())) return false;
  // The subscription has been renewed since.
  if (quote.proration_at < change.item.current_period_start) return false;
  try {
    const amounts = await previewChange(context, change, quote.proration_at);
    return amounts.proratedPence === quote.prorated_pence && amounts.remainingPence === quote.remaining_pence;
  } catch (error) {
    // An earlier request, whose answer we did not wait for, has begun another period since the subscription was read.
    if (isTimeRefused(error)) return false;
    throw error;
  }
}

/** Whether Stripe refuses the time of a proration, because it is outside the current period. */
function isTimeRefused(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError && /\bproration_date\b/.test(error.param ?? '')
  );
}

/** Closes an open quote. `used`: Stripe has charged it; `replaced`: it cannot be used any more. */
export async function closeQuote(
  { db }: PaymentsContext,
  quote: StoredQuote,
  status: 'used' | 'replaced',
): Promise<void> {
  await inTransaction(db, (trx) =>
    trx
      .updateTable('plan_quotes')
      .set({ status })
      .where('id', '=', quote.id)
      .where('status', '=', 'open')
      .execute(),
  );
}

/** How long the preview of a plan change is kept, for inquiries. It can be confirmed for fifteen minutes. */
export const QUOTE_RETENTION_MS = 30 * DAY;

/** Deletes old previews of plan changes. Returns how many. `now`: epoch ms. */
export function purgeQuotes(db: Database, now: number): Promise<number> {
  return deleteOlder(db, 'plan_quotes', now - QUOTE_RETENTION_MS);
}
