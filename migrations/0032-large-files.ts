import { sql, SqliteAdapter, type Kysely } from 'kysely';

/** A release file may have 2 GB, one byte more than an `integer` of PostgreSQL holds. SQLite's holds eight bytes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) return;
  for (const table of ['release_files', 'release_uploads'])
    await sql`alter table ${sql.table(table)} alter column file_size type bigint`.execute(db);
}

export async function down(): Promise<void> {
  // SQLite only, where nothing was changed: migrations of PostgreSQL are not reverted.
}
