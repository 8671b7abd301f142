import { sql, SqliteAdapter, type Kysely } from 'kysely';

/**
 * What admins do with products: addresses whose page they look at before a watch is added (`page_previews`), pages that were
 * judged wrongly, with the right answer (`judge_cases`), and the offer of a shop that is always in stock
 * (`retailers.canary_watch_id`).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // SQLite checks column types only in strict tables; PostgreSQL always does and has no such keyword.
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const tableEnd = isSqlite ? sql`strict` : sql``;

  await db.schema
    .createTable('page_previews')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('requested_at', 'text', (column) => column.notNull())
    .addColumn('finished_at', 'text')
    .addColumn('result', 'text', (column) =>
      column.check(sql`(result is null) = (finished_at is null) and length(result) <= 200000`),
    )
    .modifyEnd(tableEnd)
    .execute();

  await db.schema
    .createTable('judge_cases')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('page', 'text', (column) => column.notNull())
    .addColumn('deflated', isSqlite ? sql`blob` : sql`bytea`, (column) => column.notNull())
    .addColumn('expected', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('note', 'text')
    .addColumn('check_id', 'text', (column) => column.notNull().unique())
    .addColumn('created_by', 'text', (column) => column.references('users.id').onDelete('set null'))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();

  await db.schema
    .alterTable('retailers')
    .addColumn('canary_watch_id', 'text', (column) => column.references('watches.id').onDelete('set null'))
    .execute();
  await db.schema.alterTable('retailers').addColumn('held_notified_at', 'text').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const column of ['held_notified_at', 'canary_watch_id'])
    await db.schema.alterTable('retailers').dropColumn(column).execute();
  for (const table of ['judge_cases', 'page_previews']) await db.schema.dropTable(table).execute();
}
