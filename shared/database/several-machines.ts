import { isPostgres } from './postgres/is-postgres';
import type { Database } from './schema';

/** Whether processes of several machines may use this database: SQLite's file belongs to one (sqlite.org/wal.html). */
export function allowsSeveralMachines(db: Database): boolean {
  return isPostgres(db);
}
