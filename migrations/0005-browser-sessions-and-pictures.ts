import { sql, type Kysely } from 'kysely';

/** Replaces the values that a text column's check admits. A column's check cannot be altered in SQLite. */
async function replaceColumn(
  db: Kysely<unknown>,
  { table, column, values }: { table: string; column: string; values: readonly [string, ...string[]] },
): Promise<void> {
  const replacement = `new_${column}`;
  const admitted = sql.join(values.map((value) => sql.lit(value)));
  await db.schema
    .alterTable(table)
    // The default is what a new column that is not null needs; every row gets its own value in the next statement.
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

/** A browser's two sessions belong together; Discord's pictures are kept; the mail that says that beta access is approved. */
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
  // The folders of these uploads have no row then; the sweep removes such folders.
  await sql`delete from uploads where kind = 'avatar'`.execute(db);
  await replaceColumn(db, { table: 'uploads', column: 'kind', values: ['media', 'tracking'] });
  await db.schema.alterTable('users').dropColumn('discord_picture_hash').execute();
  await db.schema.alterTable('users').dropColumn('discord_picture').execute();
  // Without the column a token of local storage would be a session of its own, which signing out does not end.
  await sql`delete from sessions where browser_session_id is not null`.execute(db);
  await db.schema.dropIndex('sessions_browser_session').execute();
  await db.schema.alterTable('sessions').dropColumn('browser_session_id').execute();
}
