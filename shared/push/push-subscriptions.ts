import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';

/** Deletes a subscription that its push service reported as ended. Does nothing when it was deleted before. */
export async function removeGoneSubscription(db: Kysely<Schema>, { id }: { id: string }): Promise<void> {
  await inTransaction(db, (trx) => trx.deleteFrom('push_subscriptions').where('id', '=', id).execute());
}
