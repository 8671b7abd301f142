import type { Redis } from 'ioredis';
import type { Clock } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { readHealth, type Health } from '#shared/health.server';

export interface DaemonHealth extends Health {
  /** Whether the daemon can check and deliver right now. */
  ok: boolean;
}

interface DaemonHealthContext {
  db: Database;
  redis: Redis;
  clock: Clock;
}

/** Reads whether the daemon can work. Never throws. */
export async function readDaemonHealth({ db, redis, clock }: DaemonHealthContext): Promise<DaemonHealth> {
  const health = await readHealth(db, redis, clock);
  return { ...health, ok: health.database.ok && health.redis.ok };
}
