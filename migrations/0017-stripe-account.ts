import { sql, SqliteAdapter, type Kysely } from 'kysely';

const OLD_NOTICES = [
  'silence_began',
  'silence_ended',
  'daemon_gone',
  'daemon_back',
  'delivery_failed',
  'no_receiver',
  'payment_event_failed',
];
const NEW_NOTICES = ['payments_fault'];

/** Replaces the kinds of notices. SQLite cannot alter a column's check, so the column is replaced. */
async function replaceNoticeKinds(db: Kysely<unknown>, kinds: readonly string[]): Promise<void> {
  const list = sql.join(kinds.map((kind) => sql.lit(kind)));
  await db.schema
    .alterTable('admin_notices')
    .addColumn('new_kind', 'text', (column) =>
      column
        .notNull()
        .check(sql`new_kind in (${list})`)
        .defaultTo(kinds[0] ?? ''),
    )
    .execute();
  await sql`update admin_notices set new_kind = kind where kind in (${list})`.execute(db);
  await db.schema.alterTable('admin_notices').dropColumn('kind').execute();
  await db.schema.alterTable('admin_notices').renameColumn('new_kind', 'kind').execute();
}

/** The account at Stripe whose objects the database refers to, what is wrong with payments, and what Stripe does not know. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  // SQLite checks column types only in strict tables; PostgreSQL always does and has no such keyword.
  const tableEnd = isSqlite ? sql`strict` : sql``;

  await db.schema
    .createTable('payment_account')
    .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('stripe_account_id', 'text')
    .addColumn('livemode', 'integer', (column) => column.notNull().check(sql`livemode in (0, 1)`))
    .addColumn('key_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createTable('payment_faults')
    .addColumn('fault', 'text', (column) => column.primaryKey())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('since', 'text', (column) => column.notNull())
    .addColumn('notified_at', 'text')
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema.alterTable('subscriptions').addColumn('missing_since', 'text').execute();
  await db.schema.alterTable('token_purchases').addColumn('missing_since', 'text').execute();
  await replaceNoticeKinds(db, [...OLD_NOTICES, ...NEW_NOTICES]);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from admin_notices where kind in (${sql.join(NEW_NOTICES)})`.execute(db);
  await replaceNoticeKinds(db, OLD_NOTICES);
  await db.schema.alterTable('token_purchases').dropColumn('missing_since').execute();
  await db.schema.alterTable('subscriptions').dropColumn('missing_since').execute();
  await db.schema.dropTable('payment_faults').execute();
  await db.schema.dropTable('payment_account').execute();
}
