import { SECOND } from '#shared/clock';
import { readWatch } from '#shared/monitor/watches';
import { syncScheduler } from '#shared/queues/enqueue';
import { serverContext } from './context.server';

/**
 * Makes the check scheduler follow at once what is stored about it. While Redis is away nothing happens here: the
 * daemon does the same as soon as it is back.
 */
export async function followMonitor(): Promise<void> {
  const { db, queues, clock, log } = serverContext();
  if (queues === null || !queues.isReady()) return;
  const { id: watchId, running, interval_seconds: intervalSeconds } = await readWatch(db);
  try {
    await syncScheduler(queues, {
      watchId,
      running: running === 1,
      intervalMs: intervalSeconds * SECOND,
      checking: false,
      now: clock.now(),
    });
  } catch (error) {
    log.warn({ err: error }, 'the check scheduler will follow later');
  }
}
