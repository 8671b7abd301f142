import type { Kysely } from 'kysely';

/**
 * What Stripe says about the next renewal of a subscription: its amount, the period's end that it is for, and another plan
 * when a schedule sets one. And whether payments are paused. Older rows have none until they are read from Stripe again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const table = () => db.schema.alterTable('subscriptions');
  await table().addColumn('renewal_pence', 'integer').execute();
  await table().addColumn('renewal_at', 'text').execute();
  await table().addColumn('renewal_package_id', 'text').execute();
  await table()
    .addColumn('payments_paused', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await table().addColumn('payments_resume_at', 'text').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const name of [
    'payments_resume_at',
    'payments_paused',
    'renewal_package_id',
    'renewal_at',
    'renewal_pence',
  ])
    await db.schema.alterTable('subscriptions').dropColumn(name).execute();
}
