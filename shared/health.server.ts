import { sql } from 'kysely';
import type { Redis } from 'ioredis';
import type { Clock } from './clock';
import type { Database } from './database/connection.server';
import { readDaemonStatus, type DaemonStatus } from './monitor/heartbeat';

export interface Health {
  /** `degraded`: pages are served, but Redis or the daemon is offline. `down`: the database does not respond. */
  status: 'ok' | 'degraded' | 'down';
  database: { ok: boolean };
  redis: { ok: boolean };
  daemon: DaemonStatus;
}

/**
 * Reads the health for monitoring probes. Never throws and never waits for Redis: it reads the connection's state.
 */
export async function readHealth(db: Database, redis: Redis | null, clock: Clock): Promise<Health> {
  const redisOk = redis?.status === 'ready';
  try {
    await sql`select 1`.execute(db);
    const { online, lastHeartbeat } = await readDaemonStatus(db, clock.now());
    return {
      status: redisOk && online ? 'ok' : 'degraded',
      database: { ok: true },
      redis: { ok: redisOk },
      daemon: { online, lastHeartbeat },
    };
  } catch {
    return {
      status: 'down',
      database: { ok: false },
      redis: { ok: redisOk },
      daemon: { online: false, lastHeartbeat: null },
    };
  }
}
