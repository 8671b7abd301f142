import { sql, SqliteAdapter, type Kysely } from 'kysely';

const OLD_NOTICES = [
  'silence_began',
  'silence_ended',
  'daemon_gone',
  'daemon_back',
  'delivery_failed',
  'no_receiver',
  'payment_event_failed',
  'payments_fault',
];
const NEW_NOTICES = ['payment_reversed'];

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

/** The date at which Stripe ends a subscription, and the refunds and disputes of subscription payments. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  // SQLite checks column types only in strict tables; PostgreSQL always does and has no such keyword.
  const tableEnd = isSqlite ? sql`strict` : sql``;

  await db.schema.alterTable('subscriptions').addColumn('cancel_at', 'text').execute();
  await db.schema
    .createTable('subscription_reversals')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('subscription_id', 'text', (column) => column.notNull().references('subscriptions.id'))
    .addColumn('invoice_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind in ('refund', 'dispute')`))
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('amount_pence', 'integer', (column) => column.notNull())
    .addColumn('paid_pence', 'integer', (column) => column.notNull())
    .addColumn('notified_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex('subscription_reversals_subscription')
    .on('subscription_reversals')
    .column('subscription_id')
    .execute();
  await sql`create index subscription_reversals_unreported on subscription_reversals (created_at) where notified_at is null`.execute(
    db,
  );
  await replaceNoticeKinds(db, [...OLD_NOTICES, ...NEW_NOTICES]);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from admin_notices where kind in (${sql.join(NEW_NOTICES)})`.execute(db);
  await replaceNoticeKinds(db, OLD_NOTICES);
  await db.schema.dropTable('subscription_reversals').execute();
  await db.schema.alterTable('subscriptions').dropColumn('cancel_at').execute();
}
