import { sql, SqliteAdapter, type Kysely } from 'kysely';

/** Renames two statuses of uploads. SQLite cannot alter a column's check, so the column is replaced. */
async function replaceStatuses(
  db: Kysely<unknown>,
  renamed: readonly (readonly [from: string, to: string])[],
): Promise<void> {
  const admitted = sql.join(['pending', ...renamed.map(([, to]) => to)].map((value) => sql.lit(value)));
  await db.schema
    .alterTable('uploads')
    .addColumn('new_status', 'text', (column) =>
      column
        .notNull()
        .defaultTo('pending')
        .check(sql`new_status in (${admitted})`),
    )
    .execute();
  for (const [from, to] of renamed)
    await sql`update uploads set new_status = ${to} where status = ${from}`.execute(db);
  await db.schema.alterTable('uploads').dropColumn('status').execute();
  await db.schema.alterTable('uploads').renameColumn('new_status', 'status').execute();
}

/**
 * Uploads are pending, attached or deleted, and the sweep no longer removes folders without a record. Articles store
 * the version of the sanitiser that wrote their content; 0: unknown.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index uploads_not_kept`.execute(db);
  await replaceStatuses(db, [
    ['kept', 'attached'],
    ['doomed', 'deleted'],
  ]);
  await sql`create index uploads_not_attached on uploads (updated_at) where status in ('pending', 'deleted')`.execute(
    db,
  );
  await db.schema.dropTable('stray_uploads').execute();
  await db.schema.dropTable('upload_watch').execute();
  await db.schema
    .alterTable('articles')
    .addColumn('html_version', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('articles').dropColumn('html_version').execute();
  // SQLite checks column types only in strict tables; PostgreSQL always does and has no such keyword.
  const tableEnd = db.getExecutor().adapter instanceof SqliteAdapter ? sql`strict` : sql``;
  await db.schema
    .createTable('upload_watch')
    .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('since', 'text', (column) => column.notNull())
    .addColumn('looked_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createTable('stray_uploads')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('seen_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await sql`drop index uploads_not_attached`.execute(db);
  await replaceStatuses(db, [
    ['attached', 'kept'],
    ['deleted', 'doomed'],
  ]);
  await sql`create index uploads_not_kept on uploads (updated_at) where status in ('pending', 'doomed')`.execute(
    db,
  );
}
