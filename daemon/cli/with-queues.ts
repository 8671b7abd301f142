import { SECOND } from '#shared/clock';
import type { Config } from '#shared/config.server';
import { connectQueues, type Queues } from '#shared/queues/connection.server';

const READY_WITHIN_MS = 2 * SECOND;

/** Runs `work` with the queues once Redis answers; with null when it does not within `READY_WITHIN_MS`. */
export async function withQueues<T>(config: Config, work: (queues: Queues | null) => Promise<T>): Promise<T> {
  if (config.redisUrl === null) return work(null);
  const queues = connectQueues(config.redisUrl);
  try {
    await queues.redis.ping().catch(() => undefined);
    const giveUpAt = performance.now() + READY_WITHIN_MS;
    while (!queues.isReady() && performance.now() < giveUpAt)
      await new Promise((resolve) => setTimeout(resolve, 20));
    return await work(queues.isReady() ? queues : null);
  } finally {
    await queues.close();
  }
}
