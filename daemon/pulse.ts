import { SECOND } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import type { MachineClock } from '#shared/machine-clock.server';
import type { Logger } from '#shared/logger.server';
import { beat, HEARTBEAT_EVERY_MS, type DaemonInstance } from '#shared/monitor/heartbeat';
import type { Queues } from '#shared/queues/connection.server';
import { scheduleHousekeeping } from '#shared/queues/enqueue';
import { HOUSEKEEPING_EVERY, type Housekeeping } from './housekeeping';

const PULSE_EVERY_MS = SECOND;
/** A job that is this much over its time will not come through the queue. */
const OVERDUE_AFTER_MS = 3 * SECOND;

export interface Pulse {
  start(): void;
  stop(): Promise<void>;
}

interface PulseContext {
  db: Database;
  clock: MachineClock;
  /** Awaited before a stored time is compared with now. */
  settleClock: () => Promise<void>;
  logger: Logger;
  queues: Queues;
  housekeeping: Housekeeping;
  instance: DaemonInstance;
}

/**
 * The daemon's own clock, which needs no Redis: writes this instance's heartbeat, and does the housekeeping itself
 * for as long as the queue is silent, so that alerts leave and admins are told whatever happens to Redis.
 * The next beat is planned when the last one has ended.
 */
export function createPulse({
  db,
  clock,
  settleClock,
  logger,
  queues,
  housekeeping,
  instance,
}: PulseContext): Pulse {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  let lastBeatAt = Number.NEGATIVE_INFINITY;

  async function tick(): Promise<void> {
    await settleClock();
    const now = clock.now();
    const elapsed = clock.uptime();
    const redisOk = queues.isReady();
    if (elapsed - lastBeatAt >= HEARTBEAT_EVERY_MS) {
      await beat(db, { instance, redisOk, now });
      lastBeatAt = elapsed;
    }
    // While Redis is away no job can come: then each beat does what is due, rather half a beat early than one late.
    const patience = redisOk ? OVERDUE_AFTER_MS : -PULSE_EVERY_MS / 2;
    const overdue = (job: 'sweep' | 'heartbeat'): boolean =>
      elapsed - housekeeping.lastRun[job] > HOUSEKEEPING_EVERY[job] + patience;
    if (!overdue('sweep') && !overdue('heartbeat')) return;
    if (overdue('sweep')) await housekeeping.sweep();
    if (overdue('heartbeat')) await housekeeping.heartbeat();
    // Last, since a Redis that hangs fails here. With two daemons the other one may do all the jobs: that changes nothing.
    if (redisOk) await scheduleHousekeeping(queues, HOUSEKEEPING_EVERY, now);
  }

  function plan(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      running = tick()
        .catch((error: unknown) => logger.error({ err: error }, 'the pulse met an error'))
        .finally(plan);
    }, PULSE_EVERY_MS);
  }

  return {
    start: plan,
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}
