import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { expect, inject } from 'vitest';
import { sealWebhook } from '#shared/alerts/webhooks/webhook-seal.server';
import type { Audience } from '#shared/alerts/webhooks/webhooks';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { MINUTE, toIso } from '#shared/clock';
import { machineClock } from '#shared/machine-clock.server';
import { readConfig, type Config } from '#shared/config.server';
import type { Database } from '#shared/database/connection.server';
import { asDatabaseClock, type DatabaseClock } from '#shared/database/database-clock';
import { openKeyring, type Keyring } from '#shared/secrets.server';
import { readDaemonStatus } from '#shared/monitor/heartbeat';
import { writeMonitorSettings } from '#shared/monitor/monitor-settings';
import { requestCheck } from '#shared/monitor/checks/requests/daemon-request.server';
import { startMonitoring } from '#shared/monitor/start-stop';
import type { MonitorCheck } from '#shared/monitor/checks/reading/checks';
import { connectQueues, type Queues } from '#shared/queues/connection.server';
import type { Judge } from '../../../daemon/checks/judge';
import { startDaemon, type Daemon } from '../../../daemon/daemon';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { eventually } from '../../eventually';
import { createTestDatabase } from '../database';

export { eventually };

/** A running clock that a test can move forward. */
export interface MovableClock extends DatabaseClock {
  advance(ms: number): void;
  moveTo(iso: string): void;
  /** Steps the wall clock alone; the uptime does not change. */
  set(ms: number): void;
}

function createMovableClock(): MovableClock {
  let offset = 0;
  let wallOffset = 0;
  return {
    ...asDatabaseClock({
      now: () => Date.now() + offset + wallOffset,
      uptime: () => machineClock.uptime() + offset,
    }),
    advance: (ms) => {
      offset += ms;
    },
    moveTo: (iso) => {
      offset = Date.parse(iso) - Date.now() - wallOffset;
    },
    set: (ms) => {
      wallOffset += ms;
    },
  };
}

export interface MonitorFixture {
  sandbox: Sandbox;
  db: Database;
  keyring: Keyring;
  file: string;
  folder: string;
  clock: MovableClock;
  queues: Queues;
  redisUrl: string;
  prefix: string;
  config: Config & { redisUrl: string };
  /** The environment for processes of this fixture. */
  environment: Record<string, string>;
  /** The variables that name its database, for processes with their own folder. */
  ofDatabase: Record<string, string>;
  /** `judge`: by default pages are judged in this thread. */
  startDaemon(options?: { sendsMayFinishMs?: number; judge?: Judge }): Promise<Daemon>;
  setWebhook(audience: Audience, url?: string, watchId?: string): Promise<void>;
  writeSetting(key: string, value: string): Promise<void>;
  startMonitoring(): Promise<void>;
  /** Requests a check and waits for its result. */
  check(watchId?: string): Promise<MonitorCheck>;
  cleanup(): Promise<void>;
}

export interface MonitorFixtureOptions {
  redisUrl?: string;
  /** The prefix of all Redis keys. A daemon process always uses QUEUE_PREFIX. */
  prefix?: string;
  /** More environment variables; a function receives the sandbox, for its addresses. */
  environment?: Record<string, string> | ((sandbox: Sandbox) => Record<string, string>);
  /** The audiences whose webhooks are set. */
  webhooks?: Audience[];
}

/**
 * Creates a sandbox, a database and queues; `startDaemon` runs a daemon in this process. Monitoring is stopped, and its
 * hours are 0-24.
 */
export async function createMonitorFixture({
  redisUrl = inject('redisUrl'),
  prefix = `test-${randomBytes(6).toString('hex')}`,
  environment = {},
  webhooks = ['instant', 'free'],
}: MonitorFixtureOptions = {}): Promise<MonitorFixture> {
  const { db, config: database, file, folder, environment: ofDatabase, cleanup } = await createTestDatabase();
  const sandbox = await startSandbox();
  const clock = createMovableClock();
  const fullEnvironment = {
    NODE_ENV: 'test',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    APP_URL: 'https://packwatch.test',
    DATA_DIR: folder,
    // An SQLite file lies there.
    ...(database.engine === 'postgres' ? ofDatabase : {}),
    // Equal to that of `createApiFixture`, so that pages and daemon can open the same sealed webhooks.
    SESSION_SECRET: 'a secret of the tests, long enough',
    REDIS_URL: redisUrl,
    DISCORD_WEBHOOK_HOSTS: sandbox.webhookHost,
    MONITOR_TARGET_URL: sandbox.shopUrl,
    // Watches of other sandboxes, which are on this machine.
    ALLOWED_PRIVATE_HOSTS: '127.0.0.1,localhost',
    ...(typeof environment === 'function' ? environment(sandbox) : environment),
  };
  const read = readConfig(fullEnvironment);
  const config = { ...read, redisUrl, daemon: { ...read.daemon, port: 0 } };
  const keyring = openKeyring(config);
  // Above what any call takes: while tests of this process start together, an answer is read late.
  const queues = connectQueues(redisUrl, { prefix, callTimeoutMs: MINUTE });
  const daemons: Daemon[] = [];

  const fixture: MonitorFixture = {
    sandbox,
    db,
    keyring,
    file,
    folder,
    clock,
    queues,
    redisUrl,
    prefix,
    config,
    environment: fullEnvironment,
    ofDatabase,
    async startDaemon(options = {}) {
      const logger = pino({ level: config.logLevel });
      const started = await startDaemon({ config, logger, clock, prefix, ...options });
      // Stopped once, by the test or by the cleanup.
      let stopped: Promise<void> | null = null;
      const daemon: Daemon = { ...started, stop: () => (stopped ??= started.stop()) };
      daemons.push(daemon);
      return daemon;
    },
    async setWebhook(audience, url = sandbox.webhookUrl(audience), watchId = DEFAULT_WATCH_ID) {
      const row = {
        watch_id: watchId,
        audience,
        sealed_url: sealWebhook(keyring, url),
        state: 'trusted' as const,
        updated_at: toIso(clock.now()),
      };
      await db
        .insertInto('webhooks')
        .values(row)
        .onConflict((conflict) => conflict.columns(['watch_id', 'audience']).doUpdateSet(row))
        .execute();
    },
    async writeSetting(key, value) {
      const settings = [{ setting_key: key, setting_value: value }];
      await writeMonitorSettings(db, { settings, actor: { userId: null }, clock });
    },
    async startMonitoring() {
      await startMonitoring(db, { actor: { userId: null }, clock });
    },
    async check(watchId = DEFAULT_WATCH_ID) {
      // After the clock moves, the daemon is offline until its next heartbeat.
      await eventually(async () => expect((await readDaemonStatus(db, clock.now())).online).toBe(true));
      const check = await requestCheck({ db, queues, redisUrl, clock, watchId, waitMs: 2 * MINUTE });
      if (check === null) throw new Error('the check took longer than a caller waits');
      return check;
    },
    async cleanup() {
      await Promise.all(daemons.map((daemon) => daemon.stop()));
      await queues.close();
      await sandbox.close();
      await cleanup();
    },
  };
  for (const audience of webhooks) await fixture.setWebhook(audience);
  await fixture.writeSetting('monitoring_hours', '0-24');
  return fixture;
}
