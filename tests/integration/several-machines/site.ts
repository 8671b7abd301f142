import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { migrateToLatest } from '#shared/database/migrator.server';
import { connectQueues, type Queues } from '#shared/queues/connection.server';
import { createKeyring, type Keyring } from '#shared/secrets.server';
import { migrations } from '../../../migrations/all-migrations';
import { DURABLE, startPrivatePostgres } from '../../../scripts/processes/private-postgres.mjs';
import { startPrivateRedis } from '../../../scripts/processes/private-redis.mjs';
import { startDaemon, startWeb, type Running } from '../../e2e/stack';
import { freePort } from '../../free-port';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { startCommitCutter, type CommitCutter } from '../postgres/commit-cutter';
import { startS3Server } from '../storage/s3-server';
import { startShops, type Shops } from './shops';

/** The one admin. */
export const ADMIN_EMAIL = 'admin@packwatch.example';
/** Shops, push service and webhooks are at many ports of it. */
const LOOPBACK = '127.0.0.1';
const SESSION_SECRET = 'one secret of the machines in these tests';

/** A web process or a daemon, with files and a line to the database that it shares with no other. */
export interface Machine {
  name: string;
  url: string;
  line: CommitCutter;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Why it has ended without `kill`; null while it runs. */
  unexpectedEnd(): string | null;
  /** The lines of its log, of all its starts, that match. */
  logged(pattern: RegExp): string[];
  /** Those of its last start. */
  loggedSinceStart(pattern: RegExp): string[];
}

export type PostgresServer = Awaited<ReturnType<typeof startPrivatePostgres>>;

/** Two web processes and two daemons from build/, on one PostgreSQL, one Redis and one S3 server. */
export interface Site {
  webs: readonly [Machine, Machine];
  daemons: readonly [Machine, Machine];
  machines: readonly Machine[];
  /** The address that all web processes take for the site's. */
  appUrl: string;
  /** The PostgreSQL server that all use now. */
  server: PostgresServer;
  redis: Awaited<ReturnType<typeof startPrivateRedis>>;
  shops: Shops;
  /** The shops of products, the mailboxes and the browsers. */
  sandbox: Sandbox;
  /** The test's own connections to it, which no line cuts. */
  db: Database;
  /** Leads the address of the database to another server; connections that are open stay. */
  moveTo(server: PostgresServer): Promise<void>;
  queues: Queues;
  keyring: Keyring;
  close(): Promise<void>;
}

export const databaseOf = (server: PostgresServer) =>
  ({ engine: 'postgres', url: server.urlOf('postgres') }) as const;

/** Starts the site. `settings`: of the PostgreSQL server. */
export async function startSite(settings: Record<string, string> = {}): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-machines-'));
  const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const closeOne of closers.toReversed()) await closeOne();
  };
  try {
    const [server, redis, s3, shops, sandbox] = await Promise.all([
      startPrivatePostgres({ settings: { ...DURABLE, ...settings } }),
      startPrivateRedis({ directory: folder }),
      startS3Server(),
      startShops(),
      startSandbox(),
    ]);
    closers.push(server.stop, redis.stop, s3.close, shops.close, () => sandbox.close());
    await migrateToLatest(databaseOf(server), migrations);
    const queues = connectQueues(redis.url);
    closers.push(() => queues.close());
    const environment = {
      SANDBOX: '1',
      APP_URL: `http://localhost:${await freePort()}`,
      SESSION_SECRET,
      ADMIN_EMAILS: ADMIN_EMAIL,
      REDIS_URL: redis.url,
      S3_URL: s3.config.url,
      S3_BUCKET: s3.config.bucket,
      S3_ACCESS_KEY_ID: s3.config.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.config.secretAccessKey,
      DISCORD_WEBHOOK_HOSTS: shops.host,
      ALLOWED_PRIVATE_HOSTS: LOOPBACK,
      SMTP_URL: sandbox.smtpUrl,
      MONITOR_TARGET_URL: shops.pageUrl('none'),
    };

    async function createMachine(kind: 'web' | 'daemon', number: number): Promise<Machine> {
      const name = `${kind}-${number}`;
      const logFolder = join(folder, name);
      mkdirSync(logFolder);
      const line = await startCommitCutter(server.port);
      const port = await freePort();
      const variables = {
        ...environment,
        DATA_DIR: logFolder,
        DATABASE_URL: server.urlOf('postgres', line.port),
        [kind === 'web' ? 'PORT' : 'DAEMON_PORT']: String(port),
      };
      const url = `http://localhost:${port}`;
      let running: Running | null = null;
      const machine: Machine = {
        name,
        url,
        line,
        async kill() {
          const killed = running;
          running = null;
          killed?.child.kill('SIGKILL');
          await killed?.ended;
        },
        async start() {
          try {
            running =
              kind === 'web'
                ? (await startWeb(variables, logFolder)).running
                : await startDaemon(variables, logFolder, { name });
          } catch (error) {
            // A process that cannot connect ends, and what supervises it starts it again.
            if (!/does not answer \(Connection terminated/.test(String(error))) throw error;
            await machine.start();
          }
        },
        unexpectedEnd() {
          if (running === null) return null;
          const { exitCode, signalCode } = running.child;
          if (exitCode === null && signalCode === null) return null;
          return `${name} ended with ${exitCode ?? signalCode}:\n${running.output().slice(-4_000)}`;
        },
        logged: (pattern) => (running?.output() ?? '').split('\n').filter((line) => pattern.test(line)),
        loggedSinceStart: (pattern) =>
          machine.logged(pattern).filter((line) => line.includes(`"pid":${running?.child.pid},`)),
      };
      closers.push(line.close, machine.kill);
      await machine.start();
      return machine;
    }

    const [webA, webB, daemonA, daemonB] = await Promise.all([
      createMachine('web', 1),
      createMachine('web', 2),
      createMachine('daemon', 1),
      createMachine('daemon', 2),
    ]);
    const site: Site = {
      webs: [webA, webB],
      daemons: [daemonA, daemonB],
      machines: [webA, webB, daemonA, daemonB],
      appUrl: environment.APP_URL,
      server,
      redis,
      shops,
      sandbox,
      db: openDatabase(databaseOf(server)),
      async moveTo(next) {
        await site.db.destroy();
        for (const { line } of site.machines) line.redirect(next.port);
        site.server = next;
        site.db = openDatabase(databaseOf(next));
      },
      queues,
      keyring: createKeyring([SESSION_SECRET]),
      close,
    };
    closers.push(() => site.db.destroy());
    return site;
  } catch (error) {
    await close();
    throw error;
  }
}
