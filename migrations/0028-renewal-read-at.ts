import type { Kysely } from 'kysely';

/**
 * When Stripe's amount of the next renewal was read. Other readings of the subscription leave the amount as it is, so its
 * age is not theirs. Older rows have no time: their amount is not shown until it is read again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('subscriptions').addColumn('renewal_read_at', 'text').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('subscriptions').dropColumn('renewal_read_at').execute();
}
