import type { Redis } from 'ioredis';
import { systemClock, type Clock } from '#shared/clock';
import { readConfig, type Config } from '#shared/config.server';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { createLogger, type Logger } from '#shared/logger.server';
import { connectRedis } from '#shared/queues/connection.server';

/** What every loader and action of this process shares. */
export interface ServerContext {
  config: Config;
  log: Logger;
  db: Database;
  /** `null` when no REDIS_URL is set: pages work, queues do not. */
  redis: Redis | null;
  clock: Clock;
}

// On globalThis, because the dev server evaluates this module anew after each change.
const KEY = Symbol.for('packwatch.server-context');
const holder = globalThis as typeof globalThis & { [KEY]?: ServerContext };

function createServerContext(): ServerContext {
  const config = readConfig();
  const log = createLogger(config, 'web');
  return {
    config,
    log,
    db: openDatabase(config.databaseFile),
    redis: config.redisUrl === null ? null : connectRedis(config.redisUrl, { role: 'producer', logger: log }),
    clock: systemClock,
  };
}

/** The process's one context, made at the first call. Throws `ConfigError` when the environment has faults. */
export function serverContext(): ServerContext {
  return (holder[KEY] ??= createServerContext());
}

/** Closes database and Redis; a later `serverContext()` would open them anew. */
export async function closeServerContext(): Promise<void> {
  const context = holder[KEY];
  if (context === undefined) return;
  delete holder[KEY];
  context.redis?.disconnect();
  await context.db.destroy();
}
