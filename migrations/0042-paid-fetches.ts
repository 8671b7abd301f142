import { sql, type Kysely } from 'kysely';

/** Whether the checks of a product may use the paid fetching service. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('watches')
    .addColumn('paid_fetch', 'integer', (column) =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`paid_fetch in (0, 1) and (paid_fetch = 0 or kind = 'product')`),
    )
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('watches').dropColumn('paid_fetch').execute();
}
