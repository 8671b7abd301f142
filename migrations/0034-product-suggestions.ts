import { sql, SqliteAdapter, type Kysely } from 'kysely';

/** Pages of products that members would like to follow, until an admin has dealt with them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const tableEnd = db.getExecutor().adapter instanceof SqliteAdapter ? sql`strict` : sql``;
  await db.schema
    .createTable('product_suggestions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('product_suggestions_once', ['user_id', 'url'])
    .modifyEnd(tableEnd)
    .execute();
  await db.schema.createIndex('product_suggestions_url').on('product_suggestions').column('url').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('product_suggestions').execute();
}
