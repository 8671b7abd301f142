import { sql, SqliteAdapter, type Kysely } from 'kysely';

/** Replaces `uploads.kind`, because SQLite cannot change the check of a column. */
async function allowUploadKinds(db: Kysely<unknown>, kinds: readonly string[]): Promise<void> {
  const list = sql.join(kinds.map((kind) => sql.lit(kind)));
  await db.schema
    .alterTable('uploads')
    .addColumn('new_kind', 'text', (column) =>
      column
        .notNull()
        .defaultTo(kinds[0])
        .check(sql`new_kind in (${list})`),
    )
    .execute();
  await sql`update uploads set new_kind = kind where kind in (${list})`.execute(db);
  await db.schema.alterTable('uploads').dropColumn('kind').execute();
  await db.schema.alterTable('uploads').renameColumn('new_kind', 'kind').execute();
}

/** Releases of the desktop app, their files, running uploads, and the members' downloads. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  // SQLite checks column types only in strict tables; PostgreSQL always does and has no such keyword.
  const tableEnd = isSqlite ? sql`strict` : sql``;

  await allowUploadKinds(db, ['media', 'tracking', 'avatar', 'release']);

  await db.schema
    .createTable('releases')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('version', 'text', (column) => column.notNull().unique())
    .addColumn('release_notes', 'text', (column) => column.notNull())
    .addColumn('release_notes_html', 'text', (column) => column.notNull())
    .addColumn('is_beta', 'integer', (column) => column.notNull().check(sql`is_beta in (0, 1)`))
    .addColumn('published', 'integer', (column) => column.notNull().check(sql`published in (0, 1)`))
    .addColumn('published_at', 'text', (column) =>
      column.check(sql`published = 0 or published_at is not null`),
    )
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();

  await db.schema
    .createTable('release_files')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('release_id', 'text', (column) =>
      column.notNull().references('releases.id').onDelete('cascade'),
    )
    .addColumn('platform', 'text', (column) =>
      column.notNull().check(sql`platform in ('windows', 'macos', 'linux')`),
    )
    .addColumn('upload_id', 'text', (column) => column.notNull().unique().references('uploads.id'))
    .addColumn('original_name', 'text', (column) => column.notNull())
    .addColumn('file_size', 'integer', (column) => column.notNull().check(sql`file_size > 0`))
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('sha512', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('release_files_of_platform', ['release_id', 'platform'])
    .modifyEnd(tableEnd)
    .execute();

  await db.schema
    .createTable('release_uploads')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind in ('form', 'resumable')`))
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('platform', 'text', (column) =>
      column.notNull().check(sql`platform in ('windows', 'macos', 'linux')`),
    )
    .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('set null'))
    .addColumn('original_name', 'text', (column) => column.notNull())
    .addColumn('file_size', 'integer')
    .addColumn('fields', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('received_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('release_uploads_of_platform', ['version', 'platform'])
    .modifyEnd(tableEnd)
    .execute();

  await db.schema
    .createTable('release_upload_locks')
    .addColumn('upload_id', 'text', (column) =>
      column.primaryKey().references('release_uploads.id').onDelete('cascade'),
    )
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('wanted', 'integer', (column) => column.notNull().check(sql`wanted in (0, 1)`))
    .modifyEnd(tableEnd)
    .execute();

  await db.schema
    .createTable('release_downloads')
    .addColumn('release_id', 'text', (column) =>
      column.notNull().references('releases.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('platform', 'text', (column) =>
      column.notNull().check(sql`platform in ('windows', 'macos', 'linux')`),
    )
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('release_downloads_once', ['release_id', 'user_id'])
    .modifyEnd(tableEnd)
    .execute();
  // Deleting an account removes its downloads.
  await db.schema
    .createIndex('release_downloads_of_user')
    .on('release_downloads')
    .column('user_id')
    .execute();

  // The history of a release, and of anything else.
  await db.schema
    .createIndex('audit_log_subject')
    .on('audit_log')
    .columns(['subject', 'created_at'])
    .execute();

  await db.schema
    .createTable('release_download_starts')
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('platform', 'text', (column) =>
      column.notNull().check(sql`platform in ('windows', 'macos', 'linux')`),
    )
    .addColumn('version', 'text', (column) => column.notNull())
    // No foreign key: the row is also used after the session has ended.
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('release_download_starts_once', ['user_id', 'platform', 'version', 'session_id'])
    .modifyEnd(tableEnd)
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('audit_log_subject').execute();
  for (const table of [
    'release_download_starts',
    'release_downloads',
    'release_upload_locks',
    'release_uploads',
    'release_files',
    'releases',
  ])
    await db.schema.dropTable(table).execute();
  await sql`delete from uploads where kind = 'release'`.execute(db);
  await allowUploadKinds(db, ['media', 'tracking', 'avatar']);
}
