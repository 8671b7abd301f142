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
];
const NEW_TEMPLATE = 'password_changed';

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

/** Disabled accounts, who granted the admin role, and the mail about a changed password. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('disabled_at', 'text').execute();
  await db.schema
    .alterTable('users')
    .addColumn('admin_granted_by', 'text', (column) =>
      column.check(sql`admin_granted_by in ('environment', 'command')`),
    )
    .execute();
  // The last grant says who granted the role: only those of the environment's lists name a list.
  await sql`update users set admin_granted_by = coalesce(
    (select case when details like '%ADMIN_EMAILS%' or details like '%ADMIN_DISCORD_IDS%' then 'environment' else 'command' end
      from audit_log where subject = users.id and action = 'admin.grant' order by created_at desc limit 1),
    'command') where role = 'admin'`.execute(db);
  await allowTemplates(db, [...OLD_TEMPLATES, NEW_TEMPLATE]);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from mails where template = ${sql.lit(NEW_TEMPLATE)}`.execute(db);
  await allowTemplates(db, OLD_TEMPLATES);
  await db.schema.alterTable('users').dropColumn('admin_granted_by').execute();
  await db.schema.alterTable('users').dropColumn('disabled_at').execute();
}
