import { sql, SqliteAdapter, type Kysely } from 'kysely';

/** Browsers whose push service ended their subscription. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  // SQLite checks column types only in strict tables; PostgreSQL always does and has no such keyword.
  const tableEnd = isSqlite ? sql`strict` : sql``;
  await db.schema
    .createTable('ended_push_subscriptions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('endpoint', 'text', (column) => column.notNull())
    .addColumn('p256dh', 'text', (column) => column.notNull())
    .addColumn('auth', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('why', 'text', (column) => column.notNull().check(sql`why in ('gone', 'refused')`))
    .addColumn('ended_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex('ended_push_subscriptions_of_user')
    .on('ended_push_subscriptions')
    .columns(['user_id', 'ended_at'])
    .execute();
  await db.schema
    .createIndex('ended_push_subscriptions_by_time')
    .on('ended_push_subscriptions')
    .column('ended_at')
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('ended_push_subscriptions').execute();
}
