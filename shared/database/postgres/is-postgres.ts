import { PostgresAdapter, type Kysely } from 'kysely';

/** Whether a database, or a transaction of one, is PostgreSQL. */
export function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
