import { sql, SqliteAdapter, type Kysely } from 'kysely';

const OLD_TEMPLATES = [
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
  'new_browser',
];
const NEW_TEMPLATE = 'data_export';
const OLD_KINDS = ['media', 'tracking', 'avatar', 'release'];
const NEW_KIND = 'export';
const UNFINISHED = sql`status in ('pending', 'sending')`;

/** Replaces a column, because SQLite cannot change the check of one. */
async function allowValues(
  db: Kysely<unknown>,
  { table, column, values }: { table: string; column: string; values: readonly string[] },
): Promise<void> {
  const list = sql.join(values.map((value) => sql.lit(value)));
  const added = `new_${column}`;
  await db.schema
    .alterTable(table)
    .addColumn(added, 'text', (definition) =>
      definition
        .notNull()
        .defaultTo(values[0])
        .check(sql`${sql.ref(added)} in (${list})`),
    )
    .execute();
  await sql`update ${sql.table(table)} set ${sql.ref(added)} = ${sql.ref(column)}`.execute(db);
  await db.schema.alterTable(table).dropColumn(column).execute();
  await db.schema.alterTable(table).renameColumn(added, column).execute();
}

/** The archives of their data that members request, with the mail and the kind of upload that they need. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await allowValues(db, { table: 'mails', column: 'template', values: [...OLD_TEMPLATES, NEW_TEMPLATE] });
  await allowValues(db, { table: 'uploads', column: 'kind', values: [...OLD_KINDS, NEW_KIND] });
  await db.schema
    .createTable('data_exports')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('status', 'text', (column) =>
      column.notNull().check(sql`status in ('pending', 'sending', 'sent', 'cancelled', 'expired', 'dead')`),
    )
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('claimed_by', 'text')
    .addColumn('claimed_until', 'text')
    .addColumn('uncertain', sql`integer not null default 0 check (uncertain in (0, 1))`)
    .addColumn('sent_at', 'text')
    .addColumn('last_status', 'integer')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('upload_id', 'text', (column) => column.unique().references('uploads.id'))
    .addColumn('file_size', 'integer')
    .addColumn('available_until', 'text')
    .addColumn('downloaded_at', 'text')
    .addCheckConstraint(
      'data_exports_claimed',
      sql<boolean>`(status = 'sending') = (claimed_by is not null and claimed_until is not null)`,
    )
    .addCheckConstraint('data_exports_file', sql<boolean>`upload_id is null or status = 'sent'`)
    // SQLite checks column types only in strict tables; PostgreSQL always does and has no such keyword.
    .modifyEnd(db.getExecutor().adapter instanceof SqliteAdapter ? sql`strict` : sql``)
    .execute();
  await sql`create index data_exports_unfinished on data_exports (due_at) where ${UNFINISHED}`.execute(db);
  // A second request while the archive is made is the same request.
  await sql`create unique index data_exports_one_unfinished on data_exports (user_id) where ${UNFINISHED}`.execute(
    db,
  );
  await db.schema
    .createIndex('data_exports_of_user')
    .on('data_exports')
    .columns(['user_id', 'created_at'])
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('data_exports').execute();
  await sql`delete from mails where template = ${sql.lit(NEW_TEMPLATE)}`.execute(db);
  // Their files become folders without a record, which `npm run uploads -- orphans` finds.
  await sql`delete from uploads where kind = ${sql.lit(NEW_KIND)}`.execute(db);
  await allowValues(db, { table: 'mails', column: 'template', values: OLD_TEMPLATES });
  await allowValues(db, { table: 'uploads', column: 'kind', values: OLD_KINDS });
}
