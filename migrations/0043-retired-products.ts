import type { Kysely } from 'kysely';

/**
 * Offers that their shop no longer sells, products that an admin no longer watches, and suggestions of members that an admin
 * has dismissed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('watches').addColumn('discontinued_at', 'text').execute();
  await db.schema.alterTable('products').addColumn('retired_at', 'text').execute();
  for (const column of ['dismissed_at', 'dismissal'])
    await db.schema.alterTable('product_suggestions').addColumn(column, 'text').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const column of ['dismissed_at', 'dismissal'])
    await db.schema.alterTable('product_suggestions').dropColumn(column).execute();
  await db.schema.alterTable('products').dropColumn('retired_at').execute();
  await db.schema.alterTable('watches').dropColumn('discontinued_at').execute();
}
