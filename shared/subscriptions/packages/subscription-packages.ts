import type { Selectable } from 'kysely';
import type { Database } from '../../database/schema';
import type { SubscriptionPackagesTable } from '../../database/tables/payments/subscriptions';
import { DomainError } from '../../errors';
import { z } from 'zod';
import { addPackage, packageFields, type NewPackage } from '../../payments/packages';

/** A plan as pages and the API show it. */
export interface SubscriptionPackage {
  id: string;
  name: string;
  description: string;
  pricePence: number;
  durationDays: number;
  /** False: Stripe's price is missing or differs, so that it cannot be bought now. */
  sellable: boolean;
}

/** The plans that can be bought, the cheapest first. */
export async function listSubscriptionPackages(db: Database): Promise<SubscriptionPackage[]> {
  const rows = await db
    .selectFrom('subscription_packages')
    .selectAll()
    .where('retired_at', 'is', null)
    .orderBy('price_pence')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    pricePence: row.price_pence,
    durationDays: row.duration_days,
    sellable: row.stripe_price_id !== null && row.stripe_fault === null,
  }));
}

/** A plan that can be bought now. */
export interface SellablePlan extends Selectable<SubscriptionPackagesTable> {
  stripe_price_id: string;
}

/** Throws `NotFound` for an unknown or retired plan, and `Conflict` while Stripe's price is missing or differs. */
export async function requireSellablePlan(db: Database, packageId: string): Promise<SellablePlan> {
  const plan = await db
    .selectFrom('subscription_packages')
    .selectAll()
    .where('id', '=', packageId)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  if (plan === undefined)
    throw new DomainError('NotFound', {
      code: 'unknown_package',
      message: 'This plan no longer exists. Please choose another.',
    });
  const { stripe_price_id } = plan;
  if (stripe_price_id === null || plan.stripe_fault !== null) throw notSellable(plan);
  return { ...plan, stripe_price_id };
}

/** The refusal of a plan whose price at Stripe is missing or differs. */
export function notSellable({ name }: { name: string }): DomainError {
  return new DomainError('Conflict', {
    code: 'package_not_sellable',
    message: `${name} cannot be bought at the moment: its price is being corrected. Please choose another plan, or come back later.`,
  });
}

/** Stripe bills at least every three years (docs.stripe.com/api/prices/create, recurring.interval_count). */
const MAX_DAYS = 1095;
const DAYS_RULE = `The duration is a whole number of days from 1 to ${MAX_DAYS}.`;

export const newSubscriptionPackage = z.object({
  ...packageFields,
  durationDays: z.int(DAYS_RULE).min(1, DAYS_RULE).max(MAX_DAYS, DAYS_RULE),
});

/** Adds a plan. It can be bought once Stripe has its price (`syncPackages`). Throws `Conflict` when its id is taken. */
export async function addSubscriptionPackage(
  db: Database,
  added: NewPackage<z.output<typeof newSubscriptionPackage>>,
): Promise<void> {
  const { durationDays: duration_days } = added.fields;
  await addPackage(db, added, (trx, row) =>
    trx
      .insertInto('subscription_packages')
      .values({ ...row, duration_days })
      .execute(),
  );
}
