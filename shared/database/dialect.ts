import type { SelectQueryBuilder } from 'kysely';
import { isPostgres } from './postgres/is-postgres';
import type { Database } from './schema';

/**
 * Locks the rows that a query of an update selects, and leaves out those that another transaction has locked instead of
 * waiting for it. SQLite has one writer, and nothing to leave out.
 */
export function skipLocked<Tables, Table extends keyof Tables, Row>(
  db: Database,
  query: SelectQueryBuilder<Tables, Table, Row>,
): SelectQueryBuilder<Tables, Table, Row> {
  return isPostgres(db) ? query.forUpdate().skipLocked() : query;
}

/** Whether processes of several machines may use this database: SQLite's file belongs to one (sqlite.org/wal.html). */
export function allowsSeveralMachines(db: Database): boolean {
  return isPostgres(db);
}
