import { sql, SqliteAdapter, type Kysely } from 'kysely';

const COUNTS = ['sent', 'cancelled', 'failed', 'expired', 'handled'];

/** What stays of the deliveries to members once their rows are removed, and an index for the life of the audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  // SQLite checks column types only in strict tables; PostgreSQL always does and has no such keyword.
  const tableEnd = isSqlite ? sql`strict` : sql``;

  let table = db.schema
    .createTable('member_delivery_sums')
    .addColumn('alert_id', 'text', (column) => column.notNull().references('alerts.id').onDelete('cascade'))
    .addColumn('channel', 'text', (column) => column.notNull().check(sql`channel in ('email', 'push')`));
  for (const name of COUNTS)
    table = table.addColumn(name, 'integer', (column) => column.notNull().defaultTo(0));
  await table
    .addColumn('reasons', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('member_delivery_sums_key', ['alert_id', 'channel'])
    .modifyEnd(tableEnd)
    .execute();
  await db.schema.alterTable('push_subscriptions').addColumn('last_sent_at', 'text').execute();
  await db.schema.createIndex('audit_log_by_time').on('audit_log').column('created_at').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('audit_log_by_time').execute();
  await db.schema.alterTable('push_subscriptions').dropColumn('last_sent_at').execute();
  await db.schema.dropTable('member_delivery_sums').execute();
}
