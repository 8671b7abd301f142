import { DAY, fromIso, SECOND, toIso } from '../clock';
import { allowsSeveralMachines } from '../database/dialect';
import type { Database } from '../database/schema';
import type { DaemonHeartbeatsTable } from '../database/tables/daemon';
import { inStatement, inTransaction } from '../database/transaction';
import type { ProcessPlace } from '../process/process-place.server';

export const HEARTBEAT_EVERY_MS = 5 * SECOND;
/** A daemon whose last heartbeat is older counts as offline. */
const HEARTBEAT_STALE_MS = 20 * SECOND;

export interface DaemonInstance extends ProcessPlace {
  id: string;
  pid: number;
  startedAt: number;
}

interface Heartbeat {
  instance: DaemonInstance;
  /** Why Redis cannot be used, in a sentence for an operator, or null. */
  redisFault: string | null;
  now: number;
}

/**
 * Like `writeHeartbeat`, but waits at most `lockWaitMs` for the write lock: proves that the database can be written.
 */
export function writeHeartbeatWithin(db: Database, heartbeat: Heartbeat, lockWaitMs: number): Promise<void> {
  return inStatement(db, (trx) => writeHeartbeat(trx, heartbeat), { giveUpAfterMs: lockWaitMs });
}

/** Writes this daemon's heartbeat. */
export async function writeHeartbeat(db: Database, { instance, redisFault, now }: Heartbeat): Promise<void> {
  const row = {
    beat_at: toIso(now),
    redis_ok: redisFault === null ? (1 as const) : (0 as const),
    redis_fault: redisFault,
    stopped_at: null,
  };
  await inStatement(db, (trx) =>
    trx
      .insertInto('daemon_heartbeats')
      .values({
        id: instance.id,
        host: instance.host,
        boot_id: instance.bootId,
        pid_namespace: instance.pidNamespace,
        pid: instance.pid,
        started_at: toIso(instance.startedAt),
        ...row,
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute(),
  );
}

/** Records an orderly shutdown, so that the missing heartbeats are not reported. */
export async function markStopped(
  db: Database,
  { instance, now }: { instance: DaemonInstance; now: number },
): Promise<void> {
  const stamp = toIso(now);
  await inTransaction(db, (trx) =>
    trx
      .updateTable('daemon_heartbeats')
      .set({ beat_at: stamp, stopped_at: stamp })
      .where('id', '=', instance.id)
      .execute(),
  );
}

export interface DaemonStatus {
  online: boolean;
  lastHeartbeat: string | null;
}

export interface DaemonLife extends DaemonStatus {
  /** When (epoch ms) the daemon that has been online longest started; null when none is online. */
  onlineSince: number | null;
  /** Why the daemons that are online cannot use Redis, in a sentence; null when one of them can, or none is online. */
  redisFault: string | null;
}

/** Whether any daemon runs, and when the last heartbeat was. */
export async function readDaemonStatus(db: Database, now: number): Promise<DaemonLife> {
  const newest = await db
    .selectFrom('daemon_heartbeats')
    .select(['beat_at', 'stopped_at', 'started_at', 'redis_fault'])
    .orderBy('beat_at', 'desc')
    .limit(10)
    .execute();
  const online = newest.filter(
    (row) => row.stopped_at === null && Math.abs(now - fromIso(row.beat_at)) <= HEARTBEAT_STALE_MS,
  );
  return {
    online: online.length > 0,
    lastHeartbeat: newest[0]?.beat_at ?? null,
    onlineSince: online.length === 0 ? null : Math.min(...online.map((row) => fromIso(row.started_at))),
    redisFault: online.some((row) => row.redis_fault === null) ? null : (online[0]?.redis_fault ?? null),
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EPERM';
  }
}

type Life = Pick<DaemonHeartbeatsTable, 'host' | 'boot_id' | 'pid_namespace' | 'pid' | 'stopped_at'>;

/** Whether the pids of another daemon and of this process are of one list. */
function sharesPids(other: Life, self: DaemonInstance): boolean {
  return (
    other.boot_id !== null &&
    other.boot_id === self.bootId &&
    other.pid_namespace !== null &&
    other.pid_namespace === self.pidNamespace
  );
}

/** Whether another daemon of this machine has no process: its pid is ours, as in a restarted container, or is unused. */
function hasNoProcess(other: Life, self: DaemonInstance): boolean {
  const isRestarted = other.boot_id !== null && self.bootId !== null && other.boot_id !== self.bootId;
  return isRestarted || other.pid === self.pid || !isAlive(other.pid);
}

/**
 * The ids of daemons that are known to be dead: stopped, or on this machine without a process. If several machines may use
 * the database, a daemon is on this machine if its pids are ours. Otherwise the name of the host decides, so that a
 * restarted container or machine continues the work of its last daemon at once. Other daemons are judged by their
 * heartbeats alone and are not listed.
 */
export async function listDeadDaemons(db: Database, self: DaemonInstance): Promise<string[]> {
  const rows = await db
    .selectFrom('daemon_heartbeats')
    .select(['id', 'host', 'boot_id', 'pid_namespace', 'pid', 'stopped_at'])
    .where('id', '<>', self.id)
    .execute();
  const isHere = allowsSeveralMachines(db)
    ? (row: Life) => sharesPids(row, self)
    : (row: Life) => row.host === self.host;
  return rows
    .filter((row) => row.stopped_at !== null || (isHere(row) && hasNoProcess(row, self)))
    .map((row) => row.id);
}

/** Deletes the heartbeats of daemons that wrote none for a week. */
export async function deleteOldHeartbeats(db: Database, now: number): Promise<void> {
  await inTransaction(db, (trx) =>
    trx
      .deleteFrom('daemon_heartbeats')
      .where('beat_at', '<', toIso(now - 7 * DAY))
      .execute(),
  );
}
