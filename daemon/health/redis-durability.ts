import type { Redis } from 'ioredis';
import type { Logger } from '#shared/logger.server';

/**
 * Warns when Redis may lose jobs: an eviction policy other than `noeviction`, or no append-only file
 * (BullMQ docs, "Going to production"). Alerts survive either in the database; the schedule may pause for seconds.
 */
export async function warnAboutRedisDurability(redis: Redis, logger: Logger): Promise<void> {
  const read = async (name: string): Promise<string | undefined> => {
    const pair = await redis.config('GET', name).catch(() => []);
    return Array.isArray(pair) ? String(pair[1] ?? '') || undefined : undefined;
  };
  const policy = await read('maxmemory-policy');
  const appendOnly = await read('appendonly');
  if (policy !== undefined && policy !== 'noeviction')
    logger.warn({ policy }, 'Redis may evict jobs: set maxmemory-policy to noeviction');
  if (appendOnly === 'no') logger.warn('Redis loses jobs when it restarts: set appendonly to yes');
}
