import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseConfig } from '#shared/database-config';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { migrateToLatest } from '#shared/database/migrator.server';
import { migrations } from '../../../migrations/all-migrations';
import { startDaemon, type Environment } from '../../e2e/stack';
import { freePort } from '../../free-port';
import { startRemix, type BenchedServer } from '../page-load/servers';

const SECRET = 'q7Zk2vXw9sLr4TbN8yHd3mFc6pJg1eUa';

/** Starts a proxy to a port of this machine that adds `delayMs` to each round trip. */
export async function startDelayingProxy(port: number, delayMs: number) {
  const child = fork(new URL('./scale/delaying-proxy.js', import.meta.url), [String(port), String(delayMs)]);
  const [ready] = (await once(child, 'message')) as [{ port: number }];
  return { port: ready.port, close: () => child.disconnect() };
}

/** Web processes and daemons of one site, on one database. */
export interface Site {
  label: string;
  redisUrl: string;
  /** The database without a delay. */
  db: Database;
  webs: BenchedServer[];
  /** Starts the daemons, with these variables beside those of the site. */
  startDaemons(variables: Environment): Promise<{ pids: number[]; stop(): Promise<void> }>;
  close(): Promise<void>;
}

export interface SiteOptions {
  label: string;
  processes: number;
  /** Empty. `direct`: as this process reaches it; `url`: as web and daemon do (DATABASE_URL). */
  database: { direct: DatabaseConfig; url: string };
  redisUrl: string;
  folder: string;
}

/** Migrates a database and starts as many web processes on it as there will be daemons. */
export async function startSite({
  label,
  processes,
  database,
  redisUrl,
  folder,
}: SiteOptions): Promise<Site> {
  mkdirSync(folder, { recursive: true });
  await migrateToLatest(database.direct, migrations);
  const db = openDatabase(database.direct);
  const environment: Environment = {
    // Files are on this machine's disk.
    SANDBOX: '1',
    SESSION_SECRET: SECRET,
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl,
    LOG_LEVEL: 'info',
  };
  const webs: BenchedServer[] = [];
  for (let index = 0; index < processes; index += 1)
    webs.push(await startRemix('./build/server/index.js', environment, join(folder, 'web.log')));

  return {
    label,
    redisUrl,
    db,
    webs,
    async startDaemons(variables) {
      const daemons = await Promise.all(
        Array.from({ length: processes }, async (_unused, index) => {
          const port = await freePort();
          const own = { APP_URL: webs[0]?.origin ?? '', DAEMON_PORT: String(port), ...variables };
          return startDaemon({ ...environment, ...own }, folder, { name: `daemon-${index}` });
        }),
      );
      return {
        pids: daemons.map(({ child }) => child.pid ?? 0),
        stop: async () => void (await Promise.all(daemons.map((daemon) => daemon.stop()))),
      };
    },
    async close() {
      await Promise.all(webs.map((web) => web.stop()));
      await db.destroy();
    },
  };
}
