import { sql, SqliteAdapter, type Kysely } from 'kysely';

/** What followers of a product are told beside its alerts: a lower price, and its release day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const tableEnd = db.getExecutor().adapter instanceof SqliteAdapter ? sql`strict` : sql``;
  await db.schema
    .createTable('product_announcements')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind in ('price_drop', 'release')`))
    .addColumn('product_id', 'text', (column) => column.notNull().references('products.id'))
    .addColumn('watch_id', 'text', (column) =>
      column.references('watches.id').check(sql`(watch_id is null) = (kind = 'release')`),
    )
    .addColumn('price_amount', 'integer')
    .addColumn('previous_amount', 'integer', (column) =>
      column.check(
        sql`(kind = 'price_drop') = (price_amount is not null and previous_amount > price_amount)`,
      ),
    )
    .addColumn('beside_restock', 'integer', (column) => column.notNull().check(sql`beside_restock in (0, 1)`))
    .addColumn('announced_at', 'text', (column) => column.notNull())
    .addColumn('fan_out_status', 'text', (column) =>
      column.notNull().check(sql`fan_out_status in ('pending', 'done')`),
    )
    .addColumn('fan_out_after', 'text')
    .modifyEnd(tableEnd)
    .execute();
  await sql`create index product_announcements_pending on product_announcements (announced_at) where fan_out_status = 'pending'`.execute(
    db,
  );
  await db.schema
    .createIndex('product_announcements_of_watch')
    .on('product_announcements')
    .columns(['watch_id', 'announced_at'])
    .execute();
  await db.schema
    .alterTable('member_deliveries')
    .addColumn('announcement_id', 'text', (column) =>
      column.references('product_announcements.id').check(sql`announcement_id is null or alert_id is null`),
    )
    .execute();
  await sql`create unique index member_deliveries_of_announcement on member_deliveries (announcement_id, channel, user_id, target) where announcement_id is not null`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from member_deliveries where announcement_id is not null`.execute(db);
  await db.schema.dropIndex('member_deliveries_of_announcement').execute();
  await db.schema.alterTable('member_deliveries').dropColumn('announcement_id').execute();
  await db.schema.dropTable('product_announcements').execute();
}
