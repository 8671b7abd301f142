import { listDueDeliveries } from '#shared/alerts/list-due-deliveries';
import type { AdminReach } from '#shared/alerts/admin-notices';
import { forgetOutlived } from '#shared/accounts/forget-outlived';
import { fromIso, HOUR, MINUTE, SECOND } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import type { Logger } from '#shared/logger.server';
import { listDueMails } from '#shared/mail/outbox';
import type { MachineClock } from '#shared/machine-clock.server';
import { readMonitorState } from '#shared/monitor/check-lease';
import { beat, HEARTBEAT_EVERY_MS, type DaemonInstance } from '#shared/monitor/heartbeat';
import { readMonitorSettings } from '#shared/monitor/monitor-settings';
import { applyRetention } from '#shared/monitor/retention';
import { suspendUnwatchedAlerts } from '#shared/monitor/start-stop';
import { watchMonitor } from '#shared/monitor/watchdog';
import type { Queues } from '#shared/queues/connection.server';
import { enqueueCheck, followMonitorState } from '#shared/queues/enqueue';
import type { FileStorage } from '#shared/storage/storage';
import { sweepUploads } from '#shared/storage/sweep-uploads';
import type { Dispatcher } from './dispatcher';
import type { MailDispatcher } from './mail-dispatcher';

/** How often each job runs. */
export const HOUSEKEEPING_EVERY = {
  sweep: SECOND,
  heartbeat: HEARTBEAT_EVERY_MS,
  retention: HOUR,
  uploads: 10 * MINUTE,
} as const;

export interface Housekeeping {
  /** Brings whatever is due and unsent to the senders. */
  sweep(): Promise<void>;
  /** Keeps the scheduler in step with the monitor, pauses unwatched alerts and runs the dead-man's switch. */
  heartbeat(): Promise<void>;
  retention(): Promise<void>;
  /** Removes uploaded files that nothing points at. */
  uploads(): Promise<void>;
  /** When each job last ended, in milliseconds of the machine's uptime. */
  lastRun: Record<'sweep' | 'heartbeat', number>;
}

interface HousekeepingContext {
  db: Database;
  clock: MachineClock;
  /** Awaited before a stored time is compared with now. */
  settleClock: () => Promise<void>;
  logger: Logger;
  queues: Queues;
  dispatcher: Dispatcher;
  mails: MailDispatcher;
  storage: FileStorage;
  reach: AdminReach;
  instance: DaemonInstance;
}

/** The jobs of the `housekeeping` queue. None needs Redis to do its part of the work on the database. */
export function createHousekeeping({
  db,
  clock,
  settleClock,
  logger,
  queues,
  dispatcher,
  mails,
  storage,
  reach,
  instance,
}: HousekeepingContext): Housekeeping {
  const lastRun = { sweep: clock.uptime(), heartbeat: clock.uptime() };

  async function keepScheduler(now: number): Promise<void> {
    if (!queues.isReady()) return;
    const state = await readMonitorState(db);
    const { intervalSeconds } = await readMonitorSettings(db);
    const checking = state.lease_until !== null && fromIso(state.lease_until) > now;
    const did = await followMonitorState(queues, {
      running: state.running === 1,
      intervalMs: intervalSeconds * SECOND,
      checking,
      now,
    });
    if (did !== 'none')
      logger.info({ scheduler: did, intervalSeconds }, 'the check scheduler follows the monitor');
    // The confirming look was lost with Redis.
    if (state.recheck_due_at !== null && now - fromIso(state.recheck_due_at) > 5 * SECOND && !checking)
      await enqueueCheck(queues, { trigger: 'confirm' });
  }

  return {
    lastRun,
    async sweep() {
      await settleClock();
      // Straight to the senders: a job that was lost half-way in Redis would swallow a second one under its id.
      for (const id of await listDueDeliveries(db, { now: clock.now() })) void dispatcher.deliverNow(id);
      for (const id of await listDueMails(db, clock.now())) void mails.sendNow(id);
      lastRun.sweep = clock.uptime();
    },
    async heartbeat() {
      await settleClock();
      const now = clock.now();
      // Whoever asks after the daemon lives: after a sleep of the whole machine the last beat is old all the same.
      await beat(db, { instance, redisOk: queues.isReady(), now });
      const paused = await suspendUnwatchedAlerts(db, now);
      if (paused > 0) logger.info('an open alert is paused: nobody watches it now');
      dispatcher.dispatch(await watchMonitor(db, { reach, now }));
      lastRun.heartbeat = clock.uptime();
      // Last, since a Redis that hangs fails here.
      await keepScheduler(now);
    },
    async retention() {
      const report = await applyRetention(db, clock.now());
      const accountRows = await forgetOutlived(db, clock.now());
      if (report.pagesCleared + report.checksDeleted + accountRows > 0)
        logger.info({ ...report, accountRows }, 'cleared what has outlived its time');
    },
    async uploads() {
      const { faults, ...swept } = await sweepUploads({ db, storage, clock });
      if (swept.removed + swept.discarded > 0) logger.info(swept, 'removed unused uploaded files');
      if (faults.length > 0)
        logger.warn({ err: faults[0], faults: faults.length }, 'some uploaded files could not be removed');
    },
  };
}
