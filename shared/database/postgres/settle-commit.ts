import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '../../clock';
import { UnknownCommitError } from './connection-fault';
import { SERVER_RUN, type StartedTransaction } from './started-transaction';

/** Longer than the server keeps the transaction of a lost client, and than a usual failover. */
const GIVE_UP_AFTER_MS = 45 * SECOND;
const REPEAT_AFTER_MS = SECOND / 5;

/** `transaction ID … is in the future`: a standby that never received the transaction was promoted. */
const INVALID_PARAMETER = '22023';

/**
 * The state of a transaction; null if unknown. A server that crashed before it wrote its last transactions reuses their
 * ids after its restart, so `committed` may then describe another transaction.
 */
async function readState(
  connection: pg.ClientConfig,
  { id, server_run: serverRun }: StartedTransaction,
): Promise<string | null> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ state: string | null; server_run: string }>(
      `select pg_xact_status($1::xid8) as state, ${SERVER_RUN} as server_run`,
      [id],
    );
    const [row] = rows;
    const isOther = row?.state === 'committed' && row.server_run !== serverRun;
    return row === undefined || isOther ? null : row.state;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === INVALID_PARAMETER) return 'aborted';
    throw error;
  } finally {
    // Not awaited: it would never resolve while the server is silent.
    void client.end().catch(() => undefined);
  }
}

/**
 * Finds out whether a transaction was committed after its connection was lost during `commit`
 * (postgresql.org/docs/current/functions-info.html, pg_xact_status). Asks on a new connection until the server knows: it
 * ends a transaction without a client within seconds. Throws `UnknownCommitError` when the server is unreachable for 45
 * seconds, or has restarted or recovered from a crash.
 */
export async function settleCommit(
  connection: pg.ClientConfig,
  transaction: StartedTransaction,
): Promise<'committed' | 'aborted'> {
  const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
  for (let fault: unknown = null; ; await sleep(REPEAT_AFTER_MS)) {
    try {
      const state = await readState(connection, transaction);
      if (state === 'committed' || state === 'aborted') return state;
      // Also null for ids that are too old, but this one is seconds old.
      if (state === null) throw new UnknownCommitError(fault);
    } catch (error) {
      if (error instanceof UnknownCommitError) throw error;
      fault = error;
    }
    if (performance.now() >= giveUpAt) throw new UnknownCommitError(fault);
  }
}
