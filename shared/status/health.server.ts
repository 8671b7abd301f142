import { sql } from 'kysely';
import type { Redis } from 'ioredis';
import type { Clock } from '../clock';
import type { Database } from '../database/connection.server';
import { readDaemonStatus, type DaemonStatus } from '../monitor/heartbeat';

export interface Health {
  /**
   * `degraded`: pages are served, but Redis or the daemon is offline, or files cannot be stored. `down`: the database does
   * not respond.
   */
  status: 'ok' | 'degraded' | 'down';
  database: { ok: boolean };
  redis: { ok: boolean };
  /** Whether uploads and releases can be stored. */
  storage: { ok: boolean };
  daemon: DaemonStatus;
}

/**
 * Reads the health for monitoring probes. Never throws and never waits for Redis: it reads the connection's state.
 * `findFileFault`: why files cannot be stored, or null.
 */
export async function readHealth({
  db,
  redis,
  clock,
  findFileFault,
}: {
  db: Database;
  redis: Redis | null;
  clock: Clock;
  findFileFault: () => Promise<string | null>;
}): Promise<Health> {
  const redisOk = redis?.status === 'ready';
  const storage = { ok: (await findFileFault()) === null };
  try {
    await sql`select 1`.execute(db);
    const { online, lastHeartbeat } = await readDaemonStatus(db, clock.now());
    return {
      status: redisOk && online && storage.ok ? 'ok' : 'degraded',
      database: { ok: true },
      redis: { ok: redisOk },
      storage,
      daemon: { online, lastHeartbeat },
    };
  } catch {
    return {
      status: 'down',
      database: { ok: false },
      redis: { ok: redisOk },
      storage,
      daemon: { online: false, lastHeartbeat: null },
    };
  }
}
