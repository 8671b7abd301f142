import { DAY, fromIso, SECOND, toIso } from '../clock';
import type { Database } from '../database/schema';
import { inTransaction } from '../database/transaction';

export const HEARTBEAT_EVERY_MS = 5 * SECOND;
/** A daemon whose last heartbeat is older counts as offline. */
const HEARTBEAT_STALE_MS = 20 * SECOND;

export interface DaemonInstance {
  id: string;
  host: string;
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
  return inTransaction(db, (trx) => writeHeartbeat(trx, heartbeat), { giveUpAfterMs: lockWaitMs });
}

/** Writes this daemon's heartbeat. */
export async function writeHeartbeat(db: Database, { instance, redisFault, now }: Heartbeat): Promise<void> {
  const row = {
    beat_at: toIso(now),
    redis_ok: redisFault === null ? (1 as const) : (0 as const),
    redis_fault: redisFault,
    stopped_at: null,
  };
  await inTransaction(db, (trx) =>
    trx
      .insertInto('daemon_heartbeats')
      .values({
        id: instance.id,
        host: instance.host,
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

/**
 * The ids of daemons that are known to be dead: stopped, or on this host without a process (or with our own pid, as
 * in a restarted container). A daemon on another host is judged by its heartbeat alone and is not listed.
 */
export async function listDeadDaemons(db: Database, self: DaemonInstance): Promise<string[]> {
  const rows = await db
    .selectFrom('daemon_heartbeats')
    .select(['id', 'host', 'pid', 'stopped_at'])
    .where('id', '<>', self.id)
    .execute();
  return rows
    .filter(
      (row) =>
        row.stopped_at !== null || (row.host === self.host && (row.pid === self.pid || !isAlive(row.pid))),
    )
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
