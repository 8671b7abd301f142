import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { expect, inject, vi } from 'vitest';
import { sealWebhook } from '#shared/alerts/webhook-seal.server';
import type { Audience } from '#shared/alerts/webhooks';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { toIso } from '#shared/clock';
import { machineClock, type MachineClock } from '#shared/machine-clock.server';
import { readConfig, type Config } from '#shared/config.server';
import type { Database } from '#shared/database/connection.server';
import { openKeyring, type Keyring } from '#shared/secrets.server';
import { readDaemonStatus } from '#shared/monitor/heartbeat';
import { writeMonitorSetting } from '#shared/monitor/monitor-settings';
import { requestCheck } from '#shared/monitor/checks/request-check.server';
import { startMonitoring } from '#shared/monitor/start-stop';
import type { MonitorCheck } from '#shared/monitor/checks/checks';
import { connectQueues, type Queues } from '#shared/queues/connection.server';
import { startDaemon, type Daemon } from '../../daemon/daemon';
import { startSandbox, type Sandbox } from '../../sandbox/start-sandbox';
import { createTestDatabase } from './database';

/** Time that a test can push forward; it runs on at its usual pace. */
export interface MovableClock extends MachineClock {
  advance(ms: number): void;
  moveTo(iso: string): void;
  /** Sets the wall clock, as an operator would: no time passes. */
  set(ms: number): void;
}

function createMovableClock(): MovableClock {
  let offset = 0;
  let wallOffset = 0;
  return {
    now: () => Date.now() + offset + wallOffset,
    uptime: () => machineClock.uptime() + offset,
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

export interface World {
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
  /** The environment that a process of this world gets. */
  environment: Record<string, string>;
  startDaemon(): Promise<Daemon>;
  setWebhook(audience: Audience, url?: string, watchId?: string): Promise<void>;
  set(key: string, value: string): Promise<void>;
  start(): Promise<void>;
  /** One check by hand, waited for. */
  check(watchId?: string): Promise<MonitorCheck>;
  cleanup(): Promise<void>;
}

export interface WorldOptions {
  redisUrl?: string;
  /** Begins all keys in Redis; a daemon in a process of its own knows only the default one of `catalogue.ts`. */
  prefix?: string;
  /** More variables, which may lead to the stand-ins. */
  environment?: Record<string, string> | ((sandbox: Sandbox) => Record<string, string>);
  /** Which webhooks are set from the start. */
  webhooks?: Audience[];
}

/** Stand-ins, a database, queues of its own and, when asked, a daemon in this process. Monitoring is off at first and has no closing hours. */
export async function createWorld({
  redisUrl = inject('redisUrl'),
  prefix = `test-${randomBytes(6).toString('hex')}`,
  environment = {},
  webhooks = ['instant', 'free'],
}: WorldOptions = {}): Promise<World> {
  const { db, file, folder, cleanup } = await createTestDatabase();
  const sandbox = await startSandbox();
  const clock = createMovableClock();
  const fullEnvironment = {
    NODE_ENV: 'test',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    APP_URL: 'https://packwatch.test',
    DATA_DIR: folder,
    // The one of `createApiWorld`: pages and a daemon of one test read the same webhooks.
    SESSION_SECRET: 'a secret of the tests, long enough',
    REDIS_URL: redisUrl,
    DISCORD_WEBHOOK_HOSTS: sandbox.webhookHost,
    MONITOR_TARGET_URL: sandbox.shopUrl,
    ...(typeof environment === 'function' ? environment(sandbox) : environment),
  };
  const read = readConfig(fullEnvironment);
  const config = { ...read, redisUrl, daemon: { ...read.daemon, port: 0 } };
  const keyring = openKeyring(config);
  const queues = connectQueues(redisUrl, { prefix });
  const daemons: Daemon[] = [];

  const world: World = {
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
    async startDaemon() {
      const started = await startDaemon({ config, logger: pino({ level: config.logLevel }), clock, prefix });
      // A test may stop it before the cleanup does.
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
    async set(key, value) {
      await writeMonitorSetting(db, { key, value, actor: { userId: null }, clock });
    },
    async start() {
      await startMonitoring(db, { actor: { userId: null }, clock });
    },
    async check(watchId = DEFAULT_WATCH_ID) {
      // After a jump in time the daemon has to say first that it lives.
      await eventually(async () => expect((await readDaemonStatus(db, clock.now())).online).toBe(true));
      const check = await requestCheck({ db, queues, redisUrl, clock, watchId });
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
  for (const audience of webhooks) await world.setWebhook(audience);
  await world.set('monitoring_hours', '0-24');
  return world;
}

/** Waits for a state, never for a time. */
export function eventually<T>(look: () => T | Promise<T>, timeoutMs = 15_000): Promise<T> {
  return vi.waitFor(look, { timeout: timeoutMs, interval: 10 });
}
