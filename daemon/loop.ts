import type { Delivery } from '#shared/alerts/deliveries/deliveries';
import type { AdminContacts } from '#shared/alerts/admin-notices';
import { fromIso, SECOND } from '#shared/clock';
import type { DatabaseClock } from '#shared/database/database-clock';
import type { OutageLog } from '#shared/database/outage-log';
import { keepLogSmall } from '#shared/database/upkeep';
import type { Database } from '#shared/database/schema';
import type { Logger } from '#shared/logger.server';
import { HEARTBEAT_EVERY_MS, writeHeartbeat, type DaemonInstance } from '#shared/monitor/heartbeat';
import { settingsOf } from '#shared/monitor/monitor-settings';
import { dueOpening } from '#shared/monitor/next-check';
import { suspendUnwatchedAlerts } from '#shared/monitor/start-stop';
import { watchMonitor } from '#shared/monitor/watchdog';
import { listRoomWatches } from '#shared/monitor/watches/watches';
import type { Queues } from '#shared/queues/connection.server';
import { syncSchedulers } from '#shared/queues/check-schedulers';
import { enqueueCheck, enqueueOpenings, scheduleHousekeeping, type DueOpening } from '#shared/queues/enqueue';
import { HOUSEKEEPING_EVERY } from './housekeeping';
import type { Sender } from '#shared/outbox/sender';
import type { OutboxRunners } from './workers/outbox-worker';
import type { RedisProbe } from './health/redis-probe';

const SWEEP_EVERY_MS = SECOND;
/** A confirming check that is this late was lost in Redis; the loop adds it again. */
const RECHECK_LATE_AFTER_MS = 5 * SECOND;

interface LoopContext {
  db: Database;
  clock: DatabaseClock;
  /** Awaited before a stored time is compared with now. */
  handleClockStep: () => Promise<void>;
  logger: Logger;
  outages: OutageLog;
  queues: Queues;
  deliveries: Sender<Delivery>;
  runners: OutboxRunners;
  adminContacts: AdminContacts;
  probeRedis: RedisProbe;
  /** Logs a write-ahead log that is too large. */
  findLogFault(): Promise<string | null>;
  instance: DaemonInstance;
}

/**
 * The daemon's own timer, which needs no Redis. Each second it sends what is due and unsent; every five seconds
 * it writes the heartbeat, suspends unwatched alerts, runs the watchdog, syncs the schedulers in Redis with the
 * database and keeps the write-ahead log small. The next tick is planned when the last one has ended.
 */
export function createLoop({
  db,
  clock,
  handleClockStep,
  logger,
  outages,
  queues,
  deliveries,
  runners,
  adminContacts,
  probeRedis,
  findLogFault,
  instance,
}: LoopContext) {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let syncing: Promise<void> | null = null;
  let probing: Promise<void> | null = null;
  /** The result of the last probe: why Redis cannot be used, or null. */
  let redisFault: string | null = null;
  let stopped = false;
  let lastHeartbeatAt = Number.NEGATIVE_INFINITY;

  async function sweep(): Promise<void> {
    // Bypasses the queue: BullMQ ignores a second job while one of the same id is still in Redis.
    for (const [queue, runner] of Object.entries(runners))
      try {
        await runner?.sweep();
      } catch (error) {
        // A fault of one outbox keeps neither the others nor the heartbeat from their turn.
        outages.failed(error, `the sweep of the queue ${queue} failed`);
      }
  }

  async function sync(now: number): Promise<void> {
    // BullMQ plans by the clock of the machine.
    const machineNow = now + clock.machineAheadMs();
    const states = (await listRoomWatches(db)).map((watch) => ({
      watch,
      checking: watch.lease_until !== null && fromIso(watch.lease_until) > now,
      now: machineNow,
    }));
    const { created, removed } = await syncSchedulers(queues, states);
    if (created.length + removed.length > 0)
      logger.info({ created, removed }, 'synced the check schedulers with the watches');
    for (const { watch, checking } of states) {
      const { id: watchId, recheck_due_at: dueAt } = watch;
      if (dueAt === null || checking || now - fromIso(dueAt) <= RECHECK_LATE_AFTER_MS) continue;
      // One job, though each daemon finds it missing.
      await enqueueCheck(queues, { watchId, trigger: 'confirm', jobId: `late-${watchId}-${fromIso(dueAt)}` });
    }
    const openings = states
      .filter(({ checking }) => !checking)
      .map(({ watch }) => ({ watchId: watch.id, windowStart: dueOpening(watch, settingsOf(watch), now) }))
      .filter((opening): opening is DueOpening => opening.windowStart !== null);
    await enqueueOpenings(queues, openings);
    await scheduleHousekeeping(queues, HOUSEKEEPING_EVERY, machineNow);
  }

  async function probe(): Promise<void> {
    const before = redisFault;
    redisFault = await probeRedis();
    if (before !== null && redisFault === null) logger.info({ before }, 'Redis accepts writes again');
  }

  async function heartbeat(): Promise<void> {
    const now = clock.now();
    // Not awaited: a silent Redis answers after the timeout of the call.
    probing ??= probe().finally(() => (probing = null));
    // Write our heartbeat first, so that a machine that wakes from sleep does not report itself dead.
    await writeHeartbeat(db, {
      instance,
      redisFault: queues.isReady() ? redisFault : (redisFault ?? 'Redis does not answer.'),
      now,
    });
    const suspended = await suspendUnwatchedAlerts(db, now);
    if (suspended > 0) logger.info('suspended an open alert, because no check of its page is due');
    deliveries.dispatch(await watchMonitor(db, { adminContacts, now }));
    // Not awaited: a Redis that hangs must not delay the next sweep.
    if (queues.isReady())
      syncing ??= sync(now)
        .catch((error: unknown) => logger.warn({ err: error }, 'could not sync the schedulers'))
        .finally(() => (syncing = null));
    await findLogFault();
    // If it fails, the log grows, and commits continue.
    if (!deliveries.isSending())
      await keepLogSmall(db).catch((error: unknown) =>
        logger.warn({ err: error }, 'could not copy the write-ahead log into the database file'),
      );
  }

  async function tick(): Promise<void> {
    await handleClockStep();
    await sweep();
    if (Math.abs(clock.uptime() - lastHeartbeatAt) < HEARTBEAT_EVERY_MS) return;
    await heartbeat();
    lastHeartbeatAt = clock.uptime();
  }

  function plan(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      running = tick()
        .catch((error: unknown) => outages.failed(error, 'a tick of the daemon loop failed'))
        .finally(plan);
    }, SWEEP_EVERY_MS);
  }

  return {
    start: plan,
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
      await syncing;
    },
  };
}
