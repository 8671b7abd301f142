import type { Redis } from 'ioredis';
import type { Logger } from '#shared/logger.server';

/** Returns why Redis cannot be used, as a sentence for an operator, or null. Never rejects. */
export type RedisProbe = () => Promise<string | null>;

const KEY_LIFETIME_SECONDS = 60;

/** The reason why a connection is not ready. `lastError`: the last error of the connection, or null. */
function explainConnection(redis: Redis, lastError: Error | null): string {
  if (lastError?.name === 'ReplyError') return `Redis refuses the connection: ${lastError.message}`;
  // ioredis polls such a server until it has loaded its data, without an error.
  if (redis.status === 'connect')
    return 'Redis accepts the connection and is not ready: it loads its data (LOADING), or it is silent.';
  return lastError === null ? 'Redis does not answer.' : `Redis does not answer: ${lastError.message}`;
}

/**
 * Creates a probe that writes `key`, because Redis can be up and refuse writes (OOM, READONLY, MISCONF). While
 * reconnecting after a refusal, the probe reports that refusal.
 */
export function createRedisProbe(redis: Redis, key: string): RedisProbe {
  let refusal: string | null = null;
  let lastError: Error | null = null;
  redis.on('error', (error: Error) => {
    refusal = null;
    lastError = error;
  });
  redis.on('ready', () => (lastError = null));
  return async () => {
    if (redis.status !== 'ready') return refusal ?? explainConnection(redis, lastError);
    try {
      await redis.set(key, '1', 'EX', KEY_LIFETIME_SECONDS);
      refusal = null;
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      // Only a reply is a refusal; ioredis reports silence and a lost connection as other errors.
      refusal = `Redis ${name === 'ReplyError' ? 'refuses writes' : 'does not answer'}: ${message}`;
    }
    return refusal;
  };
}

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
