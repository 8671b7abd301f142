import { sql, SqliteAdapter, type Kysely } from 'kysely';

/** News articles with their media, the records of uploaded files, and the content version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // SQLite checks column types only in strict tables; PostgreSQL always does and has no such keyword.
  const tableEnd = db.getExecutor().adapter instanceof SqliteAdapter ? sql`strict` : sql``;

  await db.schema
    .createTable('uploads')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind in ('media', 'tracking')`))
    .addColumn('status', 'text', (column) =>
      column.notNull().check(sql`status in ('pending', 'kept', 'doomed')`),
    )
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await sql`create index uploads_not_kept on uploads (updated_at) where status in ('pending', 'doomed')`.execute(
    db,
  );

  // Folders without an upload record, and when each was first found.
  await db.schema
    .createTable('stray_uploads')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('seen_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createTable('upload_watch')
    .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('since', 'text', (column) => column.notNull())
    .addColumn('looked_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();

  await db.schema
    .createTable('articles')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('title', 'text', (column) => column.notNull().check(sql`title <> ''`))
    .addColumn('content', 'text', (column) => column.notNull().check(sql`content <> ''`))
    .addColumn('excerpt', 'text')
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('read_time_minutes', 'integer', (column) =>
      column.notNull().check(sql`read_time_minutes >= 1`),
    )
    .addColumn('published', 'integer', (column) => column.notNull().check(sql`published in (0, 1)`))
    .addColumn('featured', 'integer', (column) => column.notNull().check(sql`featured in (0, 1)`))
    .addColumn('author_id', 'text', (column) => column.references('users.id').onDelete('set null'))
    .addColumn('author_username', 'text')
    .addColumn('published_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addCheckConstraint('articles_published_since', sql`published = 0 or published_at is not null`)
    .modifyEnd(tableEnd)
    .execute();
  await sql`create index articles_public on articles (published_at desc, id desc) where published = 1`.execute(
    db,
  );
  await db.schema
    .createIndex('articles_created_at')
    .on('articles')
    .columns(['created_at desc', 'id desc'])
    .execute();
  await db.schema.createIndex('articles_author').on('articles').column('author_id').execute();

  await db.schema
    .createTable('media')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('article_id', 'text', (column) =>
      column.notNull().references('articles.id').onDelete('cascade'),
    )
    .addColumn('upload_id', 'text', (column) => column.notNull().unique().references('uploads.id'))
    .addColumn('media_type', 'text', (column) =>
      column.notNull().check(sql`media_type in ('image', 'video')`),
    )
    .addColumn('placement', 'text', (column) =>
      column
        .notNull()
        .defaultTo('gallery')
        .check(sql`placement in ('gallery', 'text')`),
    )
    .addColumn('in_text', 'integer', (column) =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`in_text in (0, 1)`),
    )
    .addColumn('file_path', 'text', (column) => column.notNull().unique())
    .addColumn('sources', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('alt_text', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('caption', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('display_order', 'integer', (column) => column.notNull().check(sql`display_order >= 0`))
    .addColumn('original_name', 'text', (column) => column.notNull())
    .addColumn('file_size', 'integer', (column) => column.notNull().check(sql`file_size > 0`))
    .addColumn('width', 'integer', (column) => column.check(sql`width > 0`))
    .addColumn('height', 'integer', (column) => column.check(sql`height > 0`))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addCheckConstraint('media_measured', sql`(width is null) = (height is null)`)
    .modifyEnd(tableEnd)
    .execute();
  await db.schema.createIndex('media_article').on('media').columns(['article_id', 'display_order']).execute();

  // After both tables, because they refer to each other.
  await db.schema
    .alterTable('articles')
    .addColumn('featured_image_id', 'text', (column) => column.references('media.id').onDelete('set null'))
    .execute();
  await db.schema.createIndex('articles_featured_image').on('articles').column('featured_image_id').execute();

  await db.schema
    .createTable('content_state')
    .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('revision', 'integer', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await sql`insert into content_state (id, revision) values (1, 1)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('content_state').execute();
  await db.schema.dropIndex('articles_featured_image').execute();
  await db.schema.alterTable('articles').dropColumn('featured_image_id').execute();
  for (const table of ['media', 'articles', 'upload_watch', 'stray_uploads', 'uploads'])
    await db.schema.dropTable(table).execute();
}
