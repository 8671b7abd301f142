import { sql, type Kysely } from 'kysely';

/** Replaces the values that a text column's check allows. SQLite cannot alter a column's check. */
async function replaceColumn(
  db: Kysely<unknown>,
  { table, column, values }: { table: string; column: string; values: readonly [string, ...string[]] },
): Promise<void> {
  const replacement = `new_${column}`;
  const admitted = sql.join(values.map((value) => sql.lit(value)));
  await db.schema
    .alterTable(table)
    // A new not-null column needs a default; the next statement sets each row's value.
    .addColumn(replacement, 'text', (definition) =>
      definition
        .notNull()
        .defaultTo(values[0])
        .check(sql`${sql.ref(replacement)} in (${admitted})`),
    )
    .execute();
  await sql`update ${sql.table(table)} set ${sql.ref(replacement)} = ${sql.ref(column)}`.execute(db);
  await db.schema.alterTable(table).dropColumn(column).execute();
  await db.schema.alterTable(table).renameColumn(replacement, column).execute();
}

/**
 * Links the two sessions of a browser, adds the copies of Discord avatars, and adds the mail about approved beta
 * access.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('browser_session_id', 'text', (column) => column.references('sessions.id').onDelete('cascade'))
    .execute();
  await db.schema
    .createIndex('sessions_browser_session')
    .on('sessions')
    .column('browser_session_id')
    .execute();

  await db.schema.alterTable('users').addColumn('discord_picture', 'text').execute();
  await db.schema.alterTable('users').addColumn('discord_picture_hash', 'text').execute();

  await replaceColumn(db, { table: 'uploads', column: 'kind', values: ['media', 'tracking', 'avatar'] });
  await replaceColumn(db, {
    table: 'mails',
    column: 'template',
    values: ['code', 'already_registered', 'beta_approved'],
  });
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from mails where template = 'beta_approved'`.execute(db);
  await replaceColumn(db, { table: 'mails', column: 'template', values: ['code', 'already_registered'] });
  // The folders of these uploads then have no record; the sweep removes such folders.
  await sql`delete from uploads where kind = 'avatar'`.execute(db);
  await replaceColumn(db, { table: 'uploads', column: 'kind', values: ['media', 'tracking'] });
  await db.schema.alterTable('users').dropColumn('discord_picture_hash').execute();
  await db.schema.alterTable('users').dropColumn('discord_picture').execute();
  // Without the column a local storage token would be an independent session, which signing out does not end.
  await sql`delete from sessions where browser_session_id is not null`.execute(db);
  await db.schema.dropIndex('sessions_browser_session').execute();
  await db.schema.alterTable('sessions').dropColumn('browser_session_id').execute();
}
