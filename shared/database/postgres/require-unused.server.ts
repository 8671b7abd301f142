import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '../../clock';
import { DomainError } from '../../errors';
import { APPLICATION_NAME, openPostgresDatabase } from './postgres-database.server';

/** The server keeps a connection for a moment after its process has ended. */
const CONNECTIONS_END_WITHIN_MS = 3 * SECOND;
const POLL_EVERY_MS = 100;

/**
 * Throws `Conflict` (`database_in_use`) while a process is connected to the database: each keeps a connection as long as it
 * lives (`min` of its pool). Waits for up to three seconds until connections of ended processes are gone.
 */
export async function requireUnusedServer(url: string): Promise<void> {
  const db = openPostgresDatabase(url, { maxConnections: 1 });
  try {
    const listClients = async () =>
      (
        await sql<{ client: string | null }>`
          select distinct host(client_addr) as client from pg_stat_activity
          where datname = current_database() and application_name = ${APPLICATION_NAME}
            and pid <> pg_backend_pid()`.execute(db)
      ).rows;
    const giveUpAt = performance.now() + CONNECTIONS_END_WITHIN_MS;
    let rows = await listClients();
    while (rows.length > 0 && performance.now() < giveUpAt) {
      await sleep(POLL_EVERY_MS);
      rows = await listClients();
    }
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
