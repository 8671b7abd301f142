import { z } from 'zod';
import { writeAudit, type Actor } from '../../audit/write-audit';
import { toIso, type Clock } from '../../clock';
import type { Database } from '../../database/connection.server';
import { inTransaction } from '../../database/transaction';
import { packageFields, requireFreePackageId } from '../../payments/packages';

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
  { fields, actor, clock }: { fields: z.output<typeof newSubscriptionPackage>; actor: Actor; clock: Clock },
): Promise<void> {
  const now = clock.now();
  await inTransaction(db, async (trx) => {
    await requireFreePackageId(trx, fields.id);
    await trx
      .insertInto('subscription_packages')
      .values({
        id: fields.id,
        name: fields.name,
        description: fields.description,
        price_pence: fields.pricePence,
        duration_days: fields.durationDays,
        created_at: toIso(now),
        updated_at: toIso(now),
      })
      .execute();
    await writeAudit(trx, { actor, action: 'package.add', subject: fields.id, details: fields }, now);
  });
}
