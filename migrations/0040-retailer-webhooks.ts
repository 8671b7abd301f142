import { sql, SqliteAdapter, type Kysely } from 'kysely';

/** The Discord webhooks and roles of retailers: for alerts of products whose watches have no webhooks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const tableEnd = db.getExecutor().adapter instanceof SqliteAdapter ? sql`strict` : sql``;
  await db.schema
    .createTable('retailer_webhooks')
    .addColumn('retailer_id', 'text', (column) =>
      column.notNull().references('retailers.id').onDelete('cascade'),
    )
    .addColumn('audience', 'text', (column) => column.notNull().check(sql`audience in ('instant', 'free')`))
    .addColumn('sealed_url', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) =>
      column
        .notNull()
        .defaultTo('trusted')
        .check(sql`state in ('trusted', 'rejected')`),
    )
    .addColumn('last_fault', 'text')
    .addColumn('last_fault_at', 'text')
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('webhooks_of_retailer', ['retailer_id', 'audience'])
    .addCheckConstraint(
      'retailer_webhooks_rejected_has_fault',
      sql`state = 'trusted' or last_fault is not null`,
    )
    .modifyEnd(tableEnd)
    .execute();
  for (const column of ['role_id_instant', 'role_id_free'])
    await db.schema.alterTable('retailers').addColumn(column, 'text').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const column of ['role_id_instant', 'role_id_free'])
    await db.schema.alterTable('retailers').dropColumn(column).execute();
  await db.schema.dropTable('retailer_webhooks').execute();
}
