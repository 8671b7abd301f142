import { sql } from 'kysely';
import type { Redis } from 'ioredis';
import type { Clock } from './clock';
import type { Database } from './database/connection.server';
import { readDaemonStatus, type DaemonStatus } from './monitor/heartbeat';

export interface Health {
  /** `degraded`: pages are served, but Redis or the daemon is away. `down`: the database does not answer. */
  status: 'ok' | 'degraded' | 'down';
  database: { ok: boolean };
  redis: { ok: boolean };
  daemon: DaemonStatus;
}

/** What an operator's probe wants to know. Never throws and never waits for Redis: its connection knows its own state. */
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
