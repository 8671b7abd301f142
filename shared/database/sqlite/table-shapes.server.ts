import Sqlite from 'better-sqlite3';
import { Kysely, sql, SqliteDialect } from 'kysely';
import type { Migration } from 'kysely/migration';
import { runMigrations } from '../run-migrations';
import type { Schema } from '../schema';

/** A table of the current schema, which is the same on both engines. */
export interface TableShape {
  name: string;
  /** In order of their names. */
  columns: readonly string[];
  /** The columns of the primary key. */
  key: readonly string[];
  /** How many rows the migrations write. */
  initialRows: number;
}

/** Reads the tables that the migrations make, from an empty database in memory. */
export async function readTableShapes(migrations: Record<string, Migration>): Promise<TableShape[]> {
  const sqlite = new Sqlite(':memory:');
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) });
  try {
    await sql`begin`.execute(db);
    await runMigrations(db, migrations, 'up');
    const { rows } = await sql<{ table: string; column: string; pk: number }>`
      select m.name as "table", c.name as column, c.pk from sqlite_master m join pragma_table_info(m.name) c
      where m.type = 'table' and m.name not like 'sqlite!_%' escape '!' and m.name not like 'kysely!_%' escape '!'
      order by m.name, c.name`.execute(db);
    const names = [...new Set(rows.map(({ table }) => table))];
    return names.map((name) => {
      const columns = rows.filter(({ table }) => table === name);
      const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
      return {
        name,
        columns: columns.map(({ column }) => column),
        key: key.map(({ column }) => column),
        initialRows: sqlite.prepare(`select count(*) from "${name}"`).pluck().get() as number,
      };
    });
  } finally {
    await db.destroy();
  }
}
