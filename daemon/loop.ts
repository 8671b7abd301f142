import { deliveryOutbox, type Delivery } from '#shared/alerts/deliveries';
import type { AdminContacts } from '#shared/alerts/admin-notices';
import { paymentEventOutbox, type PaymentEvent } from '#shared/billing/payment-events';
import { fromIso, SECOND } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import type { Logger } from '#shared/logger.server';
import type { MachineClock } from '#shared/machine-clock.server';
import { mailOutbox, type QueuedMail } from '#shared/mail/mails';
import { HEARTBEAT_EVERY_MS, writeHeartbeat, type DaemonInstance } from '#shared/monitor/heartbeat';
import { suspendUnwatchedAlerts } from '#shared/monitor/start-stop';
import { watchMonitor } from '#shared/monitor/watchdog';
import { listWatches, type Watch } from '#shared/monitor/watches';
import type { Queues } from '#shared/queues/connection.server';
import {
  enqueueCheck,
  removeOtherSchedulers,
  scheduleHousekeeping,
  syncScheduler,
} from '#shared/queues/enqueue';
import { HOUSEKEEPING_EVERY } from './housekeeping';
import type { MemberAlerts } from './members/member-alerts';
import type { Sender } from './sender';

const SWEEP_EVERY_MS = SECOND;
/** A confirming check that is this late was lost in Redis; the loop adds it again. */
const RECHECK_LATE_AFTER_MS = 5 * SECOND;

export interface Loop {
  start(): void;
  stop(): Promise<void>;
}

interface LoopContext {
  db: Database;
  clock: MachineClock;
  /** Awaited before a stored time is compared with now. */
  handleClockStep: () => Promise<void>;
  logger: Logger;
  queues: Queues;
  deliveries: Sender<Delivery>;
  mails: Sender<QueuedMail>;
  members: Pick<MemberAlerts, 'sweep'>;
  /** Null while payment is switched off: events wait. */
  paymentEvents: Sender<PaymentEvent> | null;
  adminContacts: AdminContacts;
  instance: DaemonInstance;
}

/**
 * The daemon's own clock: one timer that needs no Redis. Each second it sends what is due and unsent; every five seconds
 * it writes the heartbeat, suspends unwatched alerts, runs the watchdog and syncs the schedulers in Redis with the
 * database. The next tick is planned when the last one has ended.
 */
export function createLoop({
  db,
  clock,
  handleClockStep,
  logger,
  queues,
  deliveries,
  mails,
  members,
  paymentEvents,
  adminContacts,
  instance,
}: LoopContext): Loop {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let syncing: Promise<void> | null = null;
  let stopped = false;
  let lastHeartbeatAt = Number.NEGATIVE_INFINITY;

  async function sweep(): Promise<void> {
    // Bypasses the queue: BullMQ ignores a second job while one of the same id is still in Redis.
    for (const id of await deliveryOutbox.listDue(db, { now: clock.now() })) void deliveries.send(id);
    for (const id of await mailOutbox.listDue(db, { now: clock.now() })) void mails.send(id);
    await members.sweep();
    if (paymentEvents === null) return;
    for (const id of await paymentEventOutbox.listDue(db, { now: clock.now() })) void paymentEvents.send(id);
  }

  async function syncWatch(watch: Watch, now: number): Promise<void> {
    const { id: watchId, lease_until, recheck_due_at, interval_seconds: intervalSeconds } = watch;
    const checking = lease_until !== null && fromIso(lease_until) > now;
    const did = await syncScheduler(queues, { watch, checking, now });
    if (did !== 'none')
      logger.info({ watchId, scheduler: did, intervalSeconds }, 'synced the check scheduler');
    const recheckLate = recheck_due_at !== null && now - fromIso(recheck_due_at) > RECHECK_LATE_AFTER_MS;
    if (recheckLate && !checking) await enqueueCheck(queues, { watchId, trigger: 'confirm' });
  }

  async function syncSchedulers(now: number): Promise<void> {
    const watches = await listWatches(db);
    for (const watch of watches) await syncWatch(watch, now);
    await removeOtherSchedulers(
      queues,
      watches.map(({ id }) => id),
    );
    await scheduleHousekeeping(queues, HOUSEKEEPING_EVERY, now);
  }

  async function heartbeat(): Promise<void> {
    const now = clock.now();
    // Write our heartbeat first, so that a machine that wakes from sleep does not report itself dead.
    await writeHeartbeat(db, { instance, redisOk: queues.isReady(), now });
    const suspended = await suspendUnwatchedAlerts(db, now);
    if (suspended > 0) logger.info('suspended an open alert, because no check of its page is due');
    deliveries.dispatch(await watchMonitor(db, { adminContacts, now }));
    // Not awaited: a Redis that hangs must not delay the next sweep.
    if (queues.isReady())
      syncing ??= syncSchedulers(now)
        .catch((error: unknown) => logger.warn({ err: error }, 'could not sync the schedulers'))
        .finally(() => (syncing = null));
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
        .catch((error: unknown) => logger.error({ err: error }, 'a tick of the daemon loop failed'))
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
