import { sql } from 'kysely';
import { DomainError } from '../../errors';
import { APPLICATION_NAME, openPostgresDatabase } from './postgres-database.server';

/**
 * Throws `Conflict` (`database_in_use`) while a process is connected to the database: each keeps a connection as long as it
 * lives (`min` of its pool).
 */
export async function requireUnusedServer(url: string): Promise<void> {
  const db = openPostgresDatabase(url, { maxConnections: 1 });
  try {
    const { rows } = await sql<{ client: string | null }>`
      select distinct host(client_addr) as client from pg_stat_activity
      where datname = current_database() and application_name = ${APPLICATION_NAME}
        and pid <> pg_backend_pid()`.execute(db);
    if (rows.length === 0) return;
    const clients = rows.map(({ client }) => client ?? 'this machine').join(', ');
    throw new DomainError('Conflict', {
      code: 'database_in_use',
      message: `Processes are connected to the database, from ${clients}. Stop web and daemon on all machines, then try again. Nothing was changed. PgBouncer keeps connections of stopped processes for some minutes: its command RECONNECT ends them.`,
    });
  } finally {
    await db.destroy();
  }
}
