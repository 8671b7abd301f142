import type { Server } from 'node:http';
import { endUnlistedAdmins } from '#shared/accounts/admin-lists';
import { sealStoredWebhooks } from '#shared/alerts/webhooks/webhooks';
import { readEventBacklog } from '#shared/billing/event-backlog';
import { MINUTE, SECOND } from '#shared/clock';
import type { Config } from '#shared/config.server';
import { openDatabase } from '#shared/database/connection.server';
import { createDatabaseClock, requireNearClock, type DatabaseClock } from '#shared/database/database-clock';
import { createDiskWatch } from '#shared/database/disk-watch.server';
import { createOutageLog } from '#shared/database/outage-log';
import { retryWhileAway } from '#shared/database/transaction';
import { createWriteRetrier } from '#shared/database/write-retrier';
import { newId } from '#shared/ids';
import type { Logger } from '#shared/logger.server';
import { readProcessPlace } from '#shared/process/process-place.server';
import { createClockSteps } from '#shared/monitor/clock-steps';
import { followTarget } from '#shared/monitor/follow-target';
import { createHostVisits } from '#shared/monitor/hosts/host-visits';
import { readRobots } from '#shared/monitor/hosts/read-robots.server';
import { hurrySiblings, readHostLoads } from '#shared/monitor/product-schedule';
import { listRoomsToCheck } from '#shared/monitor/watches/rooms-of-shop';
import { writeHeartbeat, markStopped, type DaemonInstance } from '#shared/monitor/heartbeat';
import { countUnfinished } from '#shared/member-alerts/member-outbox';
import { createPaymentsContext } from '#shared/payments/create-payments-context.server';
import { listFaults } from '#shared/payments/payment-faults';
import { countDue } from '#shared/outbox/outboxes';
import { createPushClient } from '#shared/channels/push/push-client.server';
import {
  ensurePushKeys,
  sealPushKeysAgain,
  UNREADABLE_PUSH_KEYS,
} from '#shared/channels/push/push-keys.server';
import { QUEUE_PREFIX } from '#shared/queues/catalogue';
import { enqueueCheck } from '#shared/queues/enqueue';
import { createNoticeClaims } from '#shared/queues/notice-claims';
import { repeat } from '#shared/repeat';
import { openKeyring } from '#shared/secrets.server';
import { openStorage } from '#shared/storage/open-storage.server';
import { createStorageProbe } from '#shared/storage/storage-probe';
import { startStagingSweep } from '#shared/storage/sweep-staging';
import { createDaemonHealth } from './health/daemon-health';
import { startHealthServer } from './health/health-server';
import { createHousekeeping } from './housekeeping';
import { inlineJudge, type Judge } from './checks/judge';
import { createKnownPages } from './checks/known-pages';
import { createProductImages } from './checks/product-images';
import { createProductLane } from './checks/product-lane';
import { runCheck } from './checks/run-check';
import { createMetrics } from './health/metrics';
import { syncPackagesAtStart } from './package-sync';
import { openConnections } from './connections';
import { createSenders } from './delivery/create-senders';
import { createLoop } from './loop';
import { within } from '#shared/in-time';
import { reclaimFromDeadDaemons } from './reclaim';
import { warnAboutRedisDurability, createRedisProbe } from './health/redis-probe';
import type { CheckerContext } from './checks/checker-context';
import { createStorageAlarm } from './health/storage-alarm';
import { startHousekeepingWorker } from './workers/housekeeping-worker';
import { startMonitorWorker } from './workers/monitor-worker';
import { startOutboxWorkers } from './workers/outbox-worker';

/** At shutdown a running check has this long to finish; then its fetch is aborted. */
const CHECK_MAY_FINISH_MS = 5 * SECOND;
/** At shutdown attempts to send have this long to end; then they are aborted. */
const SENDS_MAY_FINISH_MS = 8 * SECOND;
/** At shutdown the outcomes of aborted attempts have this long to be written. */
const OUTCOMES_MAY_FINISH_MS = 2 * SECOND;
/** How often each daemon tests whether files can be stored. */
const CHECK_FILES_EVERY_MS = MINUTE;
/** Each last step of a shutdown: the last heartbeat, and a Redis that does not answer. */
const CLOSING_MAY_FINISH_MS = SECOND;

export interface Daemon {
  instance: DaemonInstance;
  /**
   * Starts nothing more, releases claimed rows that were not started, gives running work some seconds to end, writes the
   * last heartbeat and closes every connection. Takes less than 15 seconds.
   */
  stop(): Promise<void>;
}

interface DaemonOptions {
  config: Config & { redisUrl: string };
  logger: Logger;
  /** Default: the database's. */
  clock?: DatabaseClock;
  prefix?: string;
  /** Judges the pages of checks; closed with the daemon. Default: in this thread. */
  judge?: Judge;
  /** At shutdown, how long attempts to send may take to end. */
  sendsMayFinishMs?: number;
  /** Ends the wait for a database that goes away during the start. */
  signal?: AbortSignal;
}

/**
 * Starts the daemon: workers, loop and health port. Rejects when the database does not answer, or later
 * stays away for a minute, when the machine's clock is too far from its clock, and when the port is taken.
 */
export async function startDaemon({
  config,
  logger,
  clock: givenClock,
  prefix = QUEUE_PREFIX,
  judge = inlineJudge,
  sendsMayFinishMs = SENDS_MAY_FINISH_MS,
  signal,
}: DaemonOptions): Promise<Daemon> {
  const db = openDatabase(config.database);
  const clock = givenClock ?? createDatabaseClock(db);
  await clock.start();
  requireNearClock(clock);
  const instance: DaemonInstance = {
    id: newId(),
    ...readProcessPlace(),
    pid: process.pid,
    startedAt: clock.now(),
  };
  const connections = openConnections({ db, config, prefix, clock, logger });
  const { queues, workerRedis, fetcher, web } = connections;
  const { handleStep: handleClockStep } = createClockSteps({ db, clock, logger });
  const adminContacts = { emails: config.mail === null ? [] : config.adminEmails };
  const keyring = openKeyring(config);
  const disk = createDiskWatch(config.database, logger);
  const probeRedis = createRedisProbe(queues.redis, `${prefix}:health:${instance.id}`);
  const metrics = createMetrics({
    clock,
    readWalBytes: disk.readLogBytes,
    isRedisUp: async () => (await probeRedis()) === null,
    countDue: () => countDue(db, clock.now()),
    readEventBacklog: () => readEventBacklog(db),
    listPaymentFaults: () => listFaults(db),
    countMembersWaiting: () => countUnfinished(db),
    readHostLoads: () => readHostLoads(db, clock.now()),
  });
  const outcomes = createWriteRetrier({
    onWait: (error) => logger.warn({ err: error }, 'a delivery outcome waits for the database'),
  });
  const payments = createPaymentsContext(db, config, clock, queues);
  const storage = openStorage(config, 'uploads');
  const releaseStorage = openStorage(config, 'releases');
  const pushKeys = await retryWhileAway(() => ensurePushKeys(db, keyring, clock), signal);
  const { deliveries, members, runners, deliveryContext } = createSenders(connections, {
    config,
    clock,
    logger,
    owner: instance.id,
    keyring,
    payments,
    releaseStorage,
    push: createPushClient({ keys: pushKeys, subject: config.appUrl, web }),
    adminContacts,
    outcomes,
    handleClockStep,
    metrics,
  });
  const alarm = createStorageAlarm(deliveryContext, createNoticeClaims(queues.redis, prefix));
  const findFileFault = createStorageProbe([storage, releaseStorage]);
  const housekeeping = createHousekeeping({
    db,
    clock,
    logger: logger.child({ worker: 'housekeeping' }),
    storage,
    releaseStorage,
    payments,
    guild: connections.guild,
    keyring,
    adminContacts,
  });
  /** Starts the checks of the waiting-room watches of a shop, one of whose products is behind a waiting room. */
  async function checkRoomsOf(pageUrl: string): Promise<void> {
    try {
      const { targetUrl } = config.monitor;
      for (const { id } of await listRoomsToCheck(db, { pageUrl, targetUrl, now: clock.now() }))
        await enqueueCheck(queues, { watchId: id, trigger: 'schedule', jobId: `room-met-${id}` });
    } catch (error) {
      // The watch has a schedule as well.
      logger.warn({ err: error }, 'could not check the waiting room that a product is behind');
    }
  }
  const stopping = new AbortController();
  const productLane = createProductLane({
    db,
    clock,
    logger: logger.child({ worker: 'products' }),
    handleClockStep,
    check: (request) => runCheck(checker, request),
    signal: stopping.signal,
  });
  const hostVisits = createHostVisits({
    db,
    clock,
    owner: instance.id,
    readRobots: (pageUrl, stop) => readRobots(web, { pageUrl, stop }),
    onFault: (error, host) => logger.debug({ err: error, host }, 'could not return the turn of a host'),
  });
  const productImages = createProductImages({
    db,
    clock,
    logger: logger.child({ worker: 'products' }),
    hostVisits,
    web,
    storage,
    signal: stopping.signal,
  });
  const outages = createOutageLog(db, logger);
  const checker: CheckerContext = {
    db,
    clock,
    handleClockStep,
    logger: logger.child({ worker: 'monitor' }),
    monitor: config.monitor,
    fetcher,
    judge: judge.judge,
    knownPages: createKnownPages(clock),
    hostVisits,
    paceOf: productLane.paceOf,
    isDatabaseOut: outages.isOut,
    owner: instance.id,
    sender: instance.id,
    adminContacts,
    onStorageFault(error) {
      alarm
        .consider(error)
        .catch((fault: unknown) => logger.error({ err: fault }, 'could not warn the admins'));
    },
    onRecorded(recorded, judgement) {
      alarm.clear();
      deliveries.dispatch(recorded.deliveries);
      if (recorded.announced !== null || recorded.isProductNews) members.announce(recorded.announced);
      metrics.checked(recorded, judgement);
      if (recorded.roomAt !== null) void checkRoomsOf(recorded.roomAt);
      if (recorded.cameBack)
        hurrySiblings(db, { watchId: recorded.watchId, now: clock.now() }).catch((error: unknown) =>
          // The other shops are checked by their schedule as well.
          logger.warn({ err: error }, 'could not hurry the other shops of a product'),
        );
      if (recorded.recheckAt === null) return;
      // Fails while Redis is down; the loop adds the check once Redis is back.
      enqueueCheck(queues, {
        watchId: recorded.watchId,
        trigger: 'confirm',
        delayMs: recorded.recheckAt - clock.now(),
      }).catch(() => undefined);
    },
  };

  // Listen first: if the port is taken, the daemon ends before it claims any work.
  const health: Server = await startHealthServer({
    port: config.daemon.port,
    host: config.daemon.host,
    readHealth: createDaemonHealth({
      db,
      clock,
      instance,
      probeRedis,
      outcomes,
      storageFault: alarm.fault,
      findFileFault,
      findLogFault: disk.findLogFault,
      readFreeBytes: disk.readFreeBytes,
    }),
    registry: metrics.registry,
    logger,
    identity: { instance: instance.id, pid: instance.pid },
  });
  /** Writes what must be stored before any work. A second call changes nothing. */
  async function prepare(): Promise<void> {
    await writeHeartbeat(db, { instance, redisFault: 'Redis is not connected yet.', now: clock.now() });
    await reclaimFromDeadDaemons(db, instance, clock.now(), logger);
    const unlisted = await endUnlistedAdmins(db, { lists: config, now: clock.now() });
    if (unlisted.length > 0)
      logger.warn(
        { accounts: unlisted },
        'no longer admins: ADMIN_EMAILS and ADMIN_DISCORD_IDS do not name them',
      );
    const unreadable = await sealStoredWebhooks(db, keyring);
    if (unreadable.length > 0)
      logger.error(
        { webhooks: unreadable },
        'cannot read stored webhooks: SESSION_SECRET is not the one that sealed them; set the webhooks again',
      );
    if (!(await sealPushKeysAgain(db, keyring))) logger.error(UNREADABLE_PUSH_KEYS);
    await alarm.cacheWebhook();
    const moved = await followTarget(db, { targetUrl: config.monitor.targetUrl, now: clock.now() });
    if (moved.length > 0) logger.info('the monitored page has changed: closed the alert of the old page');
    deliveries.dispatch(moved);
  }
  await retryWhileAway(prepare, signal);

  const settings = { connection: workerRedis, prefix, logger };
  const workers = [
    startMonitorWorker(checker, stopping.signal, settings),
    ...startOutboxWorkers(runners, settings),
    startHousekeepingWorker(housekeeping, settings),
  ];
  queues.redis.on('ready', () => {
    const prepare = async (): Promise<void> => {
      await warnAboutRedisDurability(queues.redis, logger);
      await alarm.cacheWebhook();
    };
    prepare().catch((error: unknown) => logger.warn({ err: error }, 'could not inspect Redis'));
  });
  const loop = createLoop({
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
    findLogFault: disk.findLogFault,
    instance,
  });
  loop.start();
  productLane.start();
  productImages.start();
  const stagingSweep = startStagingSweep([storage, releaseStorage], { clock, logger });
  // In each daemon, because each has its own disk.
  const fileChecks = repeat(async () => alarm.considerFiles(await findFileFault()), {
    everyMs: CHECK_FILES_EVERY_MS,
    onFailure: (error) => logger.error({ err: error }, 'could not warn the admins'),
  });
  const packageSync = new AbortController();
  void syncPackagesAtStart(payments, { logger, signal: packageSync.signal });
  logger.info(
    {
      instance: instance.id,
      port: config.daemon.port,
      target: config.monitor.targetUrl,
      by: config.monitor.scrappey === null ? 'direct' : 'scrappey',
    },
    'the daemon runs',
  );

  return {
    instance,
    async stop() {
      const sends = Object.values(runners).map((runner) => runner?.stop());
      packageSync.abort();
      const stopWorkers = async () => {
        const redisFault = await probeRedis();
        await Promise.allSettled(workers.map((worker) => worker.stop(redisFault !== null)));
      };
      const closing = [
        loop.stop(),
        productLane.stop(),
        productImages.stop(),
        stagingSweep.stop(),
        fileChecks.stop(),
        stopWorkers(),
      ];
      const work = Promise.allSettled([...sends, ...closing]);
      const checkTimer = setTimeout(
        () => stopping.abort(new Error('the daemon is stopping')),
        CHECK_MAY_FINISH_MS,
      );
      if (!(await within(sendsMayFinishMs, work))) {
        connections.abortSends();
        if (!(await within(OUTCOMES_MAY_FINISH_MS, work)))
          logger.warn('some work did not end in time; the next daemon continues it');
      }
      clearTimeout(checkTimer);
      // Before the last heartbeat, because a probe writes one as well.
      health.close();
      health.closeAllConnections();
      for (const close of [
        () => markStopped(db, { instance, now: clock.now() }),
        () => clock.stop(),
        () => connections.close(),
        () => judge.close(),
      ])
        await within(CLOSING_MAY_FINISH_MS, close());
      logger.info('the daemon has stopped');
    },
  };
}
