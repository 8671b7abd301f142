import { sql, SqliteAdapter, type Kysely, type RawBuilder } from 'kysely';

const TEMPLATES = [
  'code',
  'already_registered',
  'beta_approved',
  'tokens_bought',
  'tokens_taken_back',
  'subscription_paid',
  'renewal_confirmation',
  'renewal_failed',
  'subscription_ended',
  'password_changed',
];
const STATUSES = ['pending', 'sending', 'sent', 'cancelled', 'expired', 'dead'];
const OLD_MAIL_STATUSES = ['pending', 'sending', 'sent', 'cancelled', 'dead'];
const OLD_EVENT_STATUSES = ['pending', 'sending', 'applied', 'ignored', 'failed'];

const UNFINISHED = sql`status in ('pending', 'sending')`;
const CLAIMED = sql<boolean>`(status = 'sending') = (claimed_by is not null and claimed_until is not null)`;

const oneOf = (column: string, values: readonly string[]): RawBuilder<boolean> =>
  sql`${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`;

/** SQLite checks column types only in strict tables; PostgreSQL always does and has no such keyword. */
const tableEnd = (db: Kysely<unknown>) =>
  db.getExecutor().adapter instanceof SqliteAdapter ? sql`strict` : sql``;

/** The columns of every outbox from its status to its claim. */
function createTable(db: Kysely<unknown>, table: string, statuses: readonly string[]) {
  return db.schema
    .createTable(`new_${table}`)
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('status', 'text', (column) => column.notNull().check(oneOf('status', statuses)))
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('claimed_by', 'text')
    .addColumn('claimed_until', 'text')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addCheckConstraint(`${table}_claimed`, CLAIMED)
    .modifyEnd(tableEnd(db));
}

const createUncertain = sql`integer not null default 0 check (uncertain in (0, 1))`;

/** Moves the rows to the new table: `columns` by their new names. Drops the old table with its indexes. */
async function replaceTable(
  db: Kysely<unknown>,
  table: string,
  columns: Record<string, RawBuilder<unknown>>,
): Promise<void> {
  const names = Object.keys(columns).map((name) => sql.ref(name));
  await sql`insert into ${sql.table(`new_${table}`)} (${sql.join(names)})
    select ${sql.join(Object.values(columns))} from ${sql.table(table)}`.execute(db);
  await db.schema.dropTable(table).execute();
  await db.schema.alterTable(`new_${table}`).renameTo(table).execute();
  await sql`create index ${sql.ref(`${table}_unfinished`)} on ${sql.table(table)} (due_at) where ${UNFINISHED}`.execute(
    db,
  );
  await db.schema.createIndex(`${table}_created_at`).on(table).column('created_at').execute();
}

const same = (names: readonly string[]): Record<string, RawBuilder<unknown>> =>
  Object.fromEntries(names.map((name) => [name, sql.ref(name)]));

const COMMON = [
  'id',
  'due_at',
  'expires_at',
  'attempts',
  'claimed_by',
  'claimed_until',
  'last_error',
  'created_at',
  'updated_at',
];
const MAIL = [
  ...COMMON,
  'recipient',
  'template',
  'data',
  'verification_code_id',
  'sealed_code',
  'uncertain',
  'sent_at',
  'last_status',
];
const EVENT = [
  ...COMMON,
  'stripe_event_id',
  'type',
  'object_type',
  'object_id',
  'stripe_customer_id',
  'stripe_created_at',
];

async function replaceMails(
  db: Kysely<unknown>,
  statuses: readonly string[],
  status: RawBuilder<unknown>,
): Promise<void> {
  await createTable(db, 'mails', statuses)
    .addColumn('recipient', 'text', (column) => column.notNull())
    .addColumn('template', 'text', (column) => column.notNull().check(oneOf('template', TEMPLATES)))
    .addColumn('verification_code_id', 'text', (column) =>
      column.references('verification_codes.id').onDelete('set null'),
    )
    .addColumn('sealed_code', 'text')
    .addColumn('sent_at', 'text')
    .addColumn('last_status', 'integer')
    // A code stays readable only while its mail may still be sent.
    .addCheckConstraint('mails_keep_no_code', sql`sealed_code is null or ${UNFINISHED}`)
    .execute();
  // Added to the table, because the migrations that added them drop them again.
  await db.schema.alterTable('new_mails').addColumn('data', 'text').execute();
  await db.schema.alterTable('new_mails').addColumn('uncertain', createUncertain).execute();
  await replaceTable(db, 'mails', { ...same(MAIL), status });
  await db.schema.createIndex('mails_verification_code').on('mails').column('verification_code_id').execute();
}

function createEvents(db: Kysely<unknown>, statuses: readonly string[]) {
  return createTable(db, 'payment_events', statuses)
    .addColumn('stripe_event_id', 'text', (column) => column.notNull().unique())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('object_type', 'text', (column) => column.notNull())
    .addColumn('object_id', 'text', (column) => column.notNull())
    .addColumn('stripe_customer_id', 'text')
    .addColumn('stripe_created_at', 'text', (column) => column.notNull());
}

/**
 * Every outbox has the same status words and columns: a mail that was too late is `expired`; an event of Stripe that was
 * applied is `sent`, one that was ignored `cancelled`, one that failed `dead`, or `expired` when its time was over.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A refusal has a status or one of these reasons. Whatever else ended a mail was the end of its time.
  await replaceMails(
    db,
    STATUSES,
    sql`case when status = 'dead' and last_status is null and last_error is not null
      and last_error not in ('mail is switched off', 'the code was sealed with a secret that is gone')
      and last_error not like '%it was sent twice without an answer%'
      then 'expired' else status end`,
  );
  await createEvents(db, STATUSES)
    .addColumn('uncertain', createUncertain)
    .addColumn('sent_at', 'text')
    .addColumn('last_status', 'integer')
    .execute();
  await replaceTable(db, 'payment_events', {
    ...same(EVENT),
    status: sql`case status when 'applied' then 'sent' when 'ignored' then 'cancelled'
      when 'failed' then case when updated_at >= expires_at then 'expired' else 'dead' end else status end`,
    sent_at: sql.ref('applied_at'),
  });
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await replaceMails(db, OLD_MAIL_STATUSES, sql`case status when 'expired' then 'dead' else status end`);
  await createEvents(db, OLD_EVENT_STATUSES).addColumn('applied_at', 'text').execute();
  await replaceTable(db, 'payment_events', {
    ...same(EVENT),
    status: sql`case status when 'sent' then 'applied' when 'cancelled' then 'ignored'
      when 'dead' then 'failed' when 'expired' then 'failed' else status end`,
    applied_at: sql.ref('sent_at'),
  });
}
