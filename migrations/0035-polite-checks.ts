import { sql, SqliteAdapter, type Kysely } from 'kysely';

/**
 * Hosts whose product pages are checked: who may request something now (`lease_…`, `next_request_at`), how long the host
 * is left alone (`paused_until`), and its robots.txt. Watches of products get the time of their next check. The columns of
 * robots.txt in `retailers` were never written.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // SQLite checks column types only in strict tables; PostgreSQL always does and has no such keyword.
  const tableEnd = db.getExecutor().adapter instanceof SqliteAdapter ? sql`strict` : sql``;
  await db.schema
    .createTable('hosts')
    .addColumn('host', 'text', (column) => column.primaryKey())
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'text')
    .addColumn('lease_token', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('next_request_at', 'text')
    .addColumn('refusals', 'integer', (column) =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`refusals >= 0`),
    )
    .addColumn('paused_until', 'text')
    .addColumn('robots', 'text', (column) => column.check(sql`robots in ('rules', 'none', 'unreachable')`))
    .addColumn('robots_rules', 'text')
    .addColumn('robots_delay_ms', 'integer', (column) => column.check(sql`robots_delay_ms >= 0`))
    .addColumn('robots_read_at', 'text')
    .modifyEnd(tableEnd)
    .execute();
  for (const column of ['next_check_at', 'hurried_until', 'page_read_at', 'robots_permission'])
    await db.schema.alterTable('watches').addColumn(column, 'text').execute();
  await sql`create index watches_due_products on watches (next_check_at) where kind = 'product' and running = 1`.execute(
    db,
  );
  for (const column of ['robots_delay_ms', 'robots_read_at'])
    await db.schema.alterTable('retailers').dropColumn(column).execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('retailers').addColumn('robots_delay_ms', 'integer').execute();
  await db.schema.alterTable('retailers').addColumn('robots_read_at', 'text').execute();
  await db.schema.dropIndex('watches_due_products').execute();
  for (const column of ['next_check_at', 'hurried_until', 'page_read_at', 'robots_permission'])
    await db.schema.alterTable('watches').dropColumn(column).execute();
  await db.schema.dropTable('hosts').execute();
}
