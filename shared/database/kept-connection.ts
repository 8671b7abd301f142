import type { DatabaseConnection } from 'kysely';
import type { Database, Transaction } from './schema';

/** The connections of the transactions that are under way. */
const connections = new WeakMap<Database, DatabaseConnection>();

/**
 * Runs the work of a transaction, in which `keptConnection` returns its connection. Kysely asks for it again for each query,
 * through four promises, which takes as long as a short statement of SQLite.
 */
export async function keepingConnection<T>(trx: Transaction, work: () => Promise<T>): Promise<T> {
  await trx.getExecutor().provideConnection(async (connection) => void connections.set(trx, connection));
  try {
    return await work();
  } finally {
    connections.delete(trx);
  }
}

/** The connection of a transaction that is under way; undefined outside of one. */
export function keptConnection(db: Database): DatabaseConnection | undefined {
  return connections.get(db);
}
