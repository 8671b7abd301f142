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
  'data_export',
];
const NEW_TEMPLATE = 'passkey';

/** Replaces `mails.template`, because SQLite cannot change the check of a column. */
async function allowTemplates(db: Kysely<unknown>, templates: readonly string[]): Promise<void> {
  const list = sql.join(templates.map((template) => sql.lit(template)));
  await db.schema
    .alterTable('mails')
    .addColumn('new_template', 'text', (column) =>
      column
        .notNull()
        .defaultTo(templates[0])
        .check(sql`new_template in (${list})`),
    )
    .execute();
  await sql`update mails set new_template = template`.execute(db);
  await db.schema.alterTable('mails').dropColumn('template').execute();
  await db.schema.alterTable('mails').renameColumn('new_template', 'template').execute();
}

/** The passkeys of accounts, the challenges that were answered, and the mail about a passkey. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const tableEnd = isSqlite ? sql`strict` : sql``;
  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('credential_id', 'text', (column) => column.notNull().unique())
    .addColumn('public_key', 'text', (column) => column.notNull())
    // 32 bits without a sign: more than an `integer` of PostgreSQL holds.
    .addColumn('counter', isSqlite ? 'integer' : 'bigint', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('last_used_at', 'text')
    .addColumn('refused_at', 'text')
    .modifyEnd(tableEnd)
    .execute();
  await db.schema.createIndex('passkeys_user').on('passkeys').column('user_id').execute();
  await db.schema
    .createTable('used_challenges')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema.createIndex('used_challenges_expiry').on('used_challenges').column('expires_at').execute();
  await allowTemplates(db, [...OLD_TEMPLATES, NEW_TEMPLATE]);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from mails where template = ${sql.lit(NEW_TEMPLATE)}`.execute(db);
  await allowTemplates(db, OLD_TEMPLATES);
  await db.schema.dropTable('used_challenges').execute();
  await db.schema.dropTable('passkeys').execute();
}
