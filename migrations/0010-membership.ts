import { sql, SqliteAdapter, type ColumnDefinitionBuilder, type Kysely } from 'kysely';

const NEW_TEMPLATES = [
  'tokens_bought',
  'tokens_taken_back',
  'subscription_paid',
  'renewal_confirmation',
  'renewal_failed',
  'subscription_ended',
];
const OLD_TEMPLATES = ['code', 'already_registered', 'beta_approved'];
const NEW_NOTICES = ['payment_event_failed'];
const OLD_NOTICES = [
  'silence_began',
  'silence_ended',
  'daemon_gone',
  'daemon_back',
  'delivery_failed',
  'no_receiver',
];

/** The columns of `admin_notices` in the order in which 0001 created them. */
const NOTICE_COLUMNS = ['id', 'kind', 'dedupe_key', 'title', 'body', 'created_at'];

/** The first packages of the product. */
const SUBSCRIPTION_PACKAGES = [
  ['pro-monthly', 'Pro Monthly', 'Instant alerts and the desktop app, paid by the month.', 999, 30],
  ['pro-yearly', 'Pro Yearly', 'A year of instant alerts and the desktop app.', 9590, 365],
] as const;
const TOKEN_PACKAGES = [
  ['tokens-50', '50 Tokens', 'For the odd release.', 50, 499],
  ['tokens-200', '200 Tokens', 'For a busy month.', 200, 1499],
  ['tokens-1000', '1,000 Tokens', 'For a whole season.', 1000, 4999],
] as const;

/** A text column that accepts only these values. */
function oneOf(column: string, values: readonly string[]) {
  const list = sql.join(values.map((value) => sql.lit(value)));
  return (definition: ColumnDefinitionBuilder) =>
    definition.notNull().check(sql`${sql.ref(column)} in (${list})`);
}

const flag = (column: string) => (definition: ColumnDefinitionBuilder) =>
  definition
    .notNull()
    .defaultTo(0)
    .check(sql`${sql.ref(column)} in (0, 1)`);

/** Replaces the values that a column accepts. SQLite cannot alter a column's check, so the column is replaced. */
async function replaceValues(
  db: Kysely<unknown>,
  { table, column, values }: { table: string; column: string; values: readonly string[] },
): Promise<void> {
  const replacement = `new_${column}`;
  await db.schema
    .alterTable(table)
    .addColumn(replacement, 'text', (definition) =>
      oneOf(replacement, values)(definition).defaultTo(values[0] ?? ''),
    )
    .execute();
  await sql`update ${sql.table(table)} set ${sql.ref(replacement)} = ${sql.ref(column)}`.execute(db);
  await db.schema.alterTable(table).dropColumn(column).execute();
  await db.schema.alterTable(table).renameColumn(replacement, column).execute();
}

const TEMPLATES = { table: 'mails', column: 'template' };
const NOTICES = { table: 'admin_notices', column: 'kind' };

/**
 * Recreates `admin_notices` as 0001 did, with its rows. Dropping the table deletes the deliveries of its notices, so they are
 * copied first and restored.
 */
async function restoreNotices(db: Kysely<unknown>): Promise<void> {
  const columns = sql.join(NOTICE_COLUMNS.map((column) => sql.ref(column)));
  await sql`create table kept_notices as select * from admin_notices`.execute(db);
  await sql`create table kept_deliveries as select * from alert_deliveries where notice_id is not null`.execute(
    db,
  );
  await sql`delete from alert_deliveries where notice_id is not null`.execute(db);
  await db.schema.dropTable('admin_notices').execute();
  await db.schema
    .createTable('admin_notices')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) =>
      column.notNull().check(sql`kind in (${sql.join(OLD_NOTICES.map((kind) => sql.lit(kind)))})`),
    )
    .addColumn('dedupe_key', 'text', (column) => column.notNull().unique())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .modifyEnd(db.getExecutor().adapter instanceof SqliteAdapter ? sql`strict` : sql``)
    .execute();
  await sql`insert into admin_notices (${columns}) select ${columns} from kept_notices`.execute(db);
  await sql`insert into alert_deliveries select * from kept_deliveries`.execute(db);
  for (const table of ['kept_notices', 'kept_deliveries']) await db.schema.dropTable(table).execute();
}

/**
 * Packages, subscriptions, tokens and payments. The token ledger is a chain: each row holds the balance after the row before
 * it, enforced by a foreign key, so the last balance is the sum of all rows, and no row but the last can be changed or
 * deleted. Triggers refuse that for the last row as well.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // SQLite checks column types only in strict tables; PostgreSQL always does and has no such keyword.
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const tableEnd = isSqlite ? sql`strict` : sql``;

  await replaceValues(db, { ...TEMPLATES, values: [...OLD_TEMPLATES, ...NEW_TEMPLATES] });
  await replaceValues(db, { ...NOTICES, values: [...OLD_NOTICES, ...NEW_NOTICES] });
  await db.schema.alterTable('mails').addColumn('data', 'text').execute();

  await db.schema
    .createTable('subscription_packages')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('price_pence', 'integer', (column) => column.notNull().check(sql`price_pence >= 30`))
    .addColumn('duration_days', 'integer', (column) =>
      column.notNull().check(sql`duration_days between 1 and 1095`),
    )
    .addColumn('stripe_product_id', 'text')
    .addColumn('stripe_price_id', 'text', (column) => column.unique())
    .addColumn('stripe_fault', 'text')
    .addColumn('retired_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();

  await db.schema
    .createTable('token_packages')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('token_count', 'integer', (column) => column.notNull().check(sql`token_count > 0`))
    .addColumn('price_pence', 'integer', (column) => column.notNull().check(sql`price_pence >= 30`))
    .addColumn('retired_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();

  const stamp = new Date().toISOString();
  for (const [id, name, description, price, days] of SUBSCRIPTION_PACKAGES)
    await sql`insert into subscription_packages (id, name, description, price_pence, duration_days, created_at, updated_at)
      values (${id}, ${name}, ${description}, ${price}, ${days}, ${stamp}, ${stamp})`.execute(db);
  for (const [id, name, description, count, price] of TOKEN_PACKAGES)
    await sql`insert into token_packages (id, name, description, token_count, price_pence, created_at, updated_at)
      values (${id}, ${name}, ${description}, ${count}, ${price}, ${stamp}, ${stamp})`.execute(db);

  await db.schema
    .createTable('payment_customers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('restrict'))
    .addColumn('stripe_customer_id', 'text', (column) => column.unique())
    .addColumn('locked_by', 'text')
    .addColumn('locked_until', 'text')
    .addColumn('deleted_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await sql`create unique index payment_customers_one_current on payment_customers (user_id) where deleted_at is null`.execute(
    db,
  );

  await db.schema
    .createTable('subscriptions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('restrict'))
    .addColumn('package_id', 'text', (column) => column.notNull().references('subscription_packages.id'))
    .addColumn('stripe_subscription_id', 'text', (column) => column.unique())
    .addColumn('stripe_checkout_session_id', 'text', (column) => column.unique())
    .addColumn(
      'status',
      'text',
      oneOf('status', [
        'creating',
        'abandoned',
        'incomplete',
        'incomplete_expired',
        'trialing',
        'active',
        'past_due',
        'unpaid',
        'paused',
        'canceled',
      ]),
    )
    .addColumn('current_period_start', 'text')
    .addColumn('current_period_end', 'text')
    .addColumn('cancel_at_period_end', 'integer', flag('cancel_at_period_end'))
    .addColumn('cancel_reason', 'text')
    .addColumn('grace_until', 'text')
    .addColumn('latest_invoice_id', 'text')
    .addColumn('needs_confirmation', 'integer', flag('needs_confirmation'))
    .addColumn('ended_at', 'text')
    .addColumn('synced_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex('subscriptions_user')
    .on('subscriptions')
    .columns(['user_id', 'created_at'])
    .execute();
  // One attempt to subscribe at a time: two tabs share it.
  await sql`create unique index subscriptions_one_attempt on subscriptions (user_id) where status in ('creating', 'incomplete')`.execute(
    db,
  );
  await sql`create index subscriptions_unfinished on subscriptions (status) where status not in ('abandoned', 'incomplete_expired', 'canceled')`.execute(
    db,
  );

  await db.schema
    .createTable('subscription_invoices')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('subscription_id', 'text', (column) => column.notNull().references('subscriptions.id'))
    .addColumn('status', 'text', oneOf('status', ['draft', 'open', 'paid', 'uncollectible', 'void']))
    .addColumn('billing_reason', 'text')
    .addColumn('amount_due_pence', 'integer', (column) => column.notNull())
    .addColumn('amount_paid_pence', 'integer', (column) => column.notNull())
    .addColumn('attempt_count', 'integer', (column) => column.notNull())
    .addColumn('needs_confirmation', 'integer', flag('needs_confirmation'))
    .addColumn('paid_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex('subscription_invoices_subscription')
    .on('subscription_invoices')
    .columns(['subscription_id', 'created_at'])
    .execute();

  await sql`create index subscription_invoices_open on subscription_invoices (subscription_id) where status = 'open'`.execute(
    db,
  );

  await db.schema
    .createTable('plan_quotes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('restrict'))
    .addColumn('subscription_id', 'text', (column) => column.notNull().references('subscriptions.id'))
    .addColumn('from_package_id', 'text', (column) => column.notNull().references('subscription_packages.id'))
    .addColumn('new_package_id', 'text', (column) => column.notNull().references('subscription_packages.id'))
    .addColumn('proration_at', 'integer', (column) => column.notNull())
    .addColumn('remaining_pence', 'integer', (column) => column.notNull())
    .addColumn('prorated_pence', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', oneOf('status', ['open', 'used', 'replaced']))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await sql`create unique index plan_quotes_one_open on plan_quotes (user_id, new_package_id) where status = 'open'`.execute(
    db,
  );

  await db.schema
    .createTable('token_purchases')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('restrict'))
    .addColumn('package_id', 'text', (column) => column.notNull().references('token_packages.id'))
    .addColumn('package_name', 'text', (column) => column.notNull())
    .addColumn('token_count', 'integer', (column) => column.notNull().check(sql`token_count > 0`))
    .addColumn('amount_pence', 'integer', (column) => column.notNull().check(sql`amount_pence > 0`))
    .addColumn('status', 'text', oneOf('status', ['pending', 'completed', 'failed', 'abandoned']))
    .addColumn('stripe_payment_intent_id', 'text', (column) => column.unique())
    .addColumn('stripe_checkout_session_id', 'text', (column) => column.unique())
    .addColumn('failure_message', 'text')
    .addColumn('refunded_pence', 'integer', (column) =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`refunded_pence between 0 and amount_pence`),
    )
    .addColumn('dispute_status', 'text', (column) =>
      column.check(sql`dispute_status in ('open', 'won', 'lost')`),
    )
    .addColumn('completed_at', 'text')
    .addColumn('synced_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex('token_purchases_user')
    .on('token_purchases')
    .columns(['user_id', 'created_at'])
    .execute();
  // One purchase in progress at a time: two tabs share it.
  await sql`create unique index token_purchases_one_pending on token_purchases (user_id) where status = 'pending'`.execute(
    db,
  );

  await db.schema
    .createTable('token_ledger')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('restrict'))
    .addColumn('seq', 'integer', (column) => column.notNull().check(sql`seq >= 1`))
    .addColumn('previous_seq', 'integer')
    .addColumn('kind', 'text', oneOf('kind', ['purchase', 'consume', 'refund', 'dispute', 'dispute_won']))
    .addColumn('tokens', 'integer', (column) => column.notNull().check(sql`tokens <> 0`))
    .addColumn('balance_before', 'integer', (column) => column.notNull())
    .addColumn('balance_after', 'integer', (column) => column.notNull())
    .addColumn('task_id', 'text')
    .addColumn('purchase_id', 'text', (column) => column.references('token_purchases.id'))
    .addColumn('source_id', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('token_ledger_order', ['user_id', 'seq'])
    .addUniqueConstraint('token_ledger_balances', ['user_id', 'seq', 'balance_after'])
    .addForeignKeyConstraint(
      'token_ledger_chain',
      ['user_id', 'previous_seq', 'balance_before'],
      'token_ledger',
      ['user_id', 'seq', 'balance_after'],
    )
    .addCheckConstraint('token_ledger_sum', sql`balance_after = balance_before + tokens`)
    .addCheckConstraint(
      'token_ledger_first',
      sql`(seq = 1 and previous_seq is null and balance_before = 0) or (seq > 1 and previous_seq is not null and previous_seq = seq - 1)`,
    )
    .addCheckConstraint(
      'token_ledger_consume',
      sql`kind <> 'consume' or (tokens < 0 and balance_after >= 0 and task_id is not null)`,
    )
    .addCheckConstraint(
      'token_ledger_source',
      sql`kind = 'consume' or (purchase_id is not null and source_id is not null)`,
    )
    .modifyEnd(tableEnd)
    .execute();
  await sql`create unique index token_ledger_one_per_task on token_ledger (user_id, task_id) where kind = 'consume'`.execute(
    db,
  );
  await sql`create unique index token_ledger_one_per_source on token_ledger (source_id) where source_id is not null`.execute(
    db,
  );
  if (isSqlite) {
    await sql`create trigger token_ledger_no_update before update on token_ledger
      begin select raise(abort, 'the token ledger is append-only'); end`.execute(db);
    await sql`create trigger token_ledger_no_delete before delete on token_ledger
      begin select raise(abort, 'the token ledger is append-only'); end`.execute(db);
  }

  await db.schema
    .createTable('proxy_assignments')
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addColumn('sealed_proxy', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('proxy_assignments_key', ['user_id', 'task_id'])
    .modifyEnd(tableEnd)
    .execute();

  await db.schema
    .createTable('payment_events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('stripe_event_id', 'text', (column) => column.notNull().unique())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('object_type', 'text', (column) => column.notNull())
    .addColumn('object_id', 'text', (column) => column.notNull())
    .addColumn('stripe_customer_id', 'text')
    .addColumn('stripe_created_at', 'text', (column) => column.notNull())
    .addColumn('status', 'text', oneOf('status', ['pending', 'sending', 'applied', 'ignored', 'failed']))
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('claimed_by', 'text')
    .addColumn('claimed_until', 'text')
    .addColumn('last_error', 'text')
    .addColumn('applied_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addCheckConstraint(
      'payment_events_claimed',
      sql`(status = 'sending') = (claimed_by is not null and claimed_until is not null)`,
    )
    .modifyEnd(tableEnd)
    .execute();
  await sql`create index payment_events_unfinished on payment_events (due_at) where status in ('pending', 'sending')`.execute(
    db,
  );
  await db.schema
    .createIndex('payment_events_created_at')
    .on('payment_events')
    .column('created_at')
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of [
    'payment_events',
    'proxy_assignments',
    'token_ledger',
    'token_purchases',
    'plan_quotes',
    'subscription_invoices',
    'subscriptions',
    'payment_customers',
    'token_packages',
    'subscription_packages',
  ])
    await db.schema.dropTable(table).execute();
  await sql`delete from mails where template in (${sql.join(NEW_TEMPLATES)})`.execute(db);
  await db.schema.alterTable('mails').dropColumn('data').execute();
  await replaceValues(db, { ...TEMPLATES, values: OLD_TEMPLATES });
  await sql`delete from admin_notices where kind in (${sql.join(NEW_NOTICES)})`.execute(db);
  await restoreNotices(db);
}
