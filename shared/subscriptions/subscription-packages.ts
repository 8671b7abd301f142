import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema';

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
export async function listSubscriptionPackages(db: Kysely<Schema>): Promise<SubscriptionPackage[]> {
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
