import type { DatabaseConfig } from '../database-config';
import { openPostgresDatabase } from './postgres/postgres-database.server';
import type { Database } from './schema';
import { openSqliteDatabase } from './sqlite/sqlite-database.server';

export type { Database };

/** Opens the configured database. The caller ends it with `destroy()`. PostgreSQL is connected to at the first query. */
export function openDatabase(config: DatabaseConfig): Database {
  return config.engine === 'sqlite' ? openSqliteDatabase(config.file) : openPostgresDatabase(config.url);
}
