import type { Config } from '#shared/config.server';
import { becomesReady, connectQueues, type Queues } from '#shared/queues/connection.server';

/** Runs `work` with the queues once Redis answers; with null when it does not within 2 s. */
export async function withQueues<T>(config: Config, work: (queues: Queues | null) => Promise<T>): Promise<T> {
  if (config.redisUrl === null) return work(null);
  const queues = connectQueues(config.redisUrl);
  try {
    return await work((await becomesReady(queues.isReady)) ? queues : null);
  } finally {
    await queues.close();
  }
}
