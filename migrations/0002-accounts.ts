import { sql, SqliteAdapter, type Kysely } from 'kysely';

/** Sessions, verification codes, the outbox of mails, and the columns of an account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // SQLite checks column types only in strict tables; PostgreSQL always does and has no such keyword.
  const tableEnd = db.getExecutor().adapter instanceof SqliteAdapter ? sql`strict` : sql``;

  // SQLite adds only one column per statement.
  await db.schema.alterTable('users').addColumn('password_hash', 'text').execute();
  await db.schema
    .alterTable('users')
    .addColumn('password_registration_id', 'text', (column) =>
      column.check(
        sql`password_registration_id is null or (password_hash is not null and email_verified_at is null)`,
      ),
    )
    .execute();
  await db.schema.alterTable('users').addColumn('beta_requested_at', 'text').execute();
  await db.schema
    .alterTable('users')
    .addColumn('beta_approved_at', 'text', (column) =>
      column.check(sql`beta_approved_at is null or beta_requested_at is not null`),
    )
    .execute();
  await db.schema
    .alterTable('users')
    .addColumn('beta_ever_requested', 'integer', (column) =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`beta_ever_requested in (0, 1) and (beta_requested_at is null or beta_ever_requested = 1)`),
    )
    .execute();
  await db.schema
    .alterTable('users')
    .addColumn('preferences', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute();

  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('user_agent', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('last_seen_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema.createIndex('sessions_user').on('sessions').column('user_id').execute();
  await db.schema.createIndex('sessions_expires_at').on('sessions').column('expires_at').execute();

  await db.schema
    .createTable('verification_codes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('code_hash', 'text', (column) => column.notNull())
    .addColumn('browser_hash', 'text')
    .addColumn('registration_id', 'text')
    .addColumn('discord_id', 'text')
    .addColumn('discord_username', 'text')
    .addColumn('discord_avatar', 'text')
    .addColumn('status', 'text', (column) =>
      column.notNull().check(sql`status in ('live', 'used', 'replaced', 'guessed')`),
    )
    .addColumn('tries', 'integer', (column) =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`tries between 0 and 5`),
    )
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  // The database allows only one live code per account.
  await sql`create unique index verification_codes_one_live on verification_codes (user_id) where status = 'live'`.execute(
    db,
  );
  await db.schema
    .createIndex('verification_codes_user')
    .on('verification_codes')
    .columns(['user_id', 'created_at'])
    .execute();
  await db.schema
    .createIndex('verification_codes_created_at')
    .on('verification_codes')
    .column('created_at')
    .execute();

  await db.schema
    .createTable('code_requests')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email_hash', 'text', (column) => column.notNull())
    .addColumn('requested_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex('code_requests_email_hash')
    .on('code_requests')
    .columns(['email_hash', 'requested_at'])
    .execute();
  await db.schema
    .createIndex('code_requests_requested_at')
    .on('code_requests')
    .column('requested_at')
    .execute();

  await db.schema
    .createTable('mails')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('recipient', 'text', (column) => column.notNull())
    .addColumn('template', 'text', (column) =>
      column.notNull().check(sql`template in ('code', 'already_registered')`),
    )
    .addColumn('verification_code_id', 'text', (column) =>
      column.references('verification_codes.id').onDelete('set null'),
    )
    .addColumn('sealed_code', 'text')
    .addColumn('status', 'text', (column) =>
      column.notNull().check(sql`status in ('pending', 'sending', 'sent', 'cancelled', 'dead')`),
    )
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('claimed_by', 'text')
    .addColumn('claimed_until', 'text')
    .addColumn('sent_at', 'text')
    .addColumn('last_status', 'integer')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addCheckConstraint(
      'mails_claimed',
      sql`(status = 'sending') = (claimed_by is not null and claimed_until is not null)`,
    )
    // A code stays readable only while its mail may still be sent.
    .addCheckConstraint('mails_keep_no_code', sql`sealed_code is null or status in ('pending', 'sending')`)
    .modifyEnd(tableEnd)
    .execute();
  await sql`create index mails_unfinished on mails (due_at) where status in ('pending', 'sending')`.execute(
    db,
  );
  await db.schema.createIndex('mails_verification_code').on('mails').column('verification_code_id').execute();
  await db.schema.createIndex('mails_created_at').on('mails').column('created_at').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['mails', 'code_requests', 'verification_codes', 'sessions']) {
    await db.schema.dropTable(table).execute();
  }
  // Drop a column before the column that its check refers to.
  for (const column of [
    'preferences',
    'beta_ever_requested',
    'beta_approved_at',
    'beta_requested_at',
    'password_registration_id',
    'password_hash',
  ]) {
    await db.schema.alterTable('users').dropColumn(column).execute();
  }
}
