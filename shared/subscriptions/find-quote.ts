import type { Kysely } from 'kysely';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import type { PlanQuote } from './change-subscription.server';

/** A stored quote, with the period of the current plan. */
export interface StoredQuote extends PlanQuote {
  currentPlan: { name: string; durationDays: number };
}

/** The open quote of an account for a change to `newPackageId` at `now` (epoch ms); null for none that is still valid. */
export async function findOpenQuote(
  db: Kysely<Schema>,
  { accountId, newPackageId, now }: { accountId: string; newPackageId: string; now: number },
): Promise<StoredQuote | null> {
  const row = await db
    .selectFrom('plan_quotes as quote')
    .innerJoin('subscription_packages as old', 'old.id', 'quote.from_package_id')
    .innerJoin('subscription_packages as new', 'new.id', 'quote.new_package_id')
    .select([
      'quote.id',
      'quote.remaining_pence',
      'quote.prorated_pence',
      'quote.expires_at',
      'old.name as old_name',
      'old.duration_days as old_days',
      'new.name as new_name',
      'new.price_pence as new_price',
      'new.duration_days as new_days',
    ])
    .where('quote.user_id', '=', accountId)
    .where('quote.new_package_id', '=', newPackageId)
    .where('quote.status', '=', 'open')
    .where('quote.expires_at', '>', toIso(now))
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
