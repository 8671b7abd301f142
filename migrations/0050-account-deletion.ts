import { sql, type Kysely } from 'kysely';

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
  'passkey',
];
const NEW_TEMPLATE = 'account_deletion';
const COLUMNS = ['deletion_requested_at', 'delete_after', 'deleted_at'];

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

/** When a member asked for the end of the account, when it ends, and when it has ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of COLUMNS) await db.schema.alterTable('users').addColumn(column, 'text').execute();
  await sql`create index users_to_delete on users (delete_after) where delete_after is not null`.execute(db);
  await allowTemplates(db, [...OLD_TEMPLATES, NEW_TEMPLATE]);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from mails where template = ${sql.lit(NEW_TEMPLATE)}`.execute(db);
  await allowTemplates(db, OLD_TEMPLATES);
  await db.schema.dropIndex('users_to_delete').execute();
  for (const column of COLUMNS) await db.schema.alterTable('users').dropColumn(column).execute();
}
