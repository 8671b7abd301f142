import { SECOND } from '#shared/clock';
import type { Config } from '#shared/config.server';
import { becomesReady, connectQueues, type Queues } from '#shared/queues/connection.server';

/** How long a command waits for a Redis that has not refused the connection, and for its answers: a busy machine is late. */
export const COMMAND_PATIENCE_MS = 10 * SECOND;

/** Runs `work` with the queues once Redis answers; with null when it refuses for 2 s, or is silent for 10 s. */
export async function withQueues<T>(config: Config, work: (queues: Queues | null) => Promise<T>): Promise<T> {
  if (config.redisUrl === null) return work(null);
  const queues = connectQueues(config.redisUrl, { callTimeoutMs: COMMAND_PATIENCE_MS });
  const isConnecting = (): boolean =>
    queues.redis.status === 'connecting' || queues.redis.status === 'connect';
  const until = performance.now() + COMMAND_PATIENCE_MS;
  try {
    let isReady = await becomesReady(queues.isReady);
    while (!isReady && isConnecting() && performance.now() < until)
      isReady = await becomesReady(queues.isReady);
    return await work(isReady ? queues : null);
  } finally {
    await queues.close();
  }
}
