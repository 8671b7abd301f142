import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { migrateFileToLatest } from '#shared/database/sqlite/migrator.server';
import { migrations } from '../../../migrations/all-migrations';
import { figuresOf, type Figures } from '../figures';
import { seedNews } from '../page-load/seed-news';
import { startRemix, type BenchedServer } from '../page-load/servers';
import type { CrowdOrder, CrowdReport } from './download-crowd';
import { seedAdmin, seedRelease } from './seed-release';

const MEBIBYTE = 1024 * 1024;
const FILE_BYTES = 200 * MEBIBYTE;
const CLIENTS = 50;
/** A good household connection: 20 Mbit/s. */
const LINE_BYTES_PER_SECOND = 2.5e6;
const LINES_LIMIT_MS = 20_000;
const FULL_SPEED_LIMIT_MS = 300_000;
const IDLE_MS = 10_000;
const PAGE_PAUSE_MS = 20;
const MEMORY_STEP_MS = 100;

/** One load of the web process, and a page loaded at the same time. */
export interface DownloadLoad {
  report: CrowdReport | null;
  /** Milliseconds for an uncached page. */
  page: Figures;
  /** Resident memory in MiB before and at its highest; null on systems without /proc. */
  memory: { before: number; peak: number } | null;
}

export interface DownloadFigures {
  fileBytes: number;
  clients: number;
  idle: DownloadLoad;
  /** As fast as clients on this machine read. */
  fullSpeed: DownloadLoad;
  /** Each client reads at the speed of a household connection. */
  lines: DownloadLoad;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let pages = 0;

/** Loads the news list past all caches. Returns the milliseconds. */
async function timePage(origin: string): Promise<number> {
  const startedAt = performance.now();
  const outgoing = request(`${origin}/news?n=${(pages += 1)}`, { agent }).end();
  const [response] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`/news answered ${response.statusCode}`);
  return performance.now() - startedAt;
}

/** Loads the page again and again, and watches the memory, until the load ends. */
async function watchLoad(server: BenchedServer, load: Promise<CrowdReport | null>): Promise<DownloadLoad> {
  let running = true;
  const before = server.memory()?.now;
  let peak = before ?? 0;
  const ended = load.finally(() => (running = false));
  ended.catch(() => undefined);
  const memory = (async () => {
    while (running) {
      peak = Math.max(peak, server.memory()?.now ?? 0);
      await sleep(MEMORY_STEP_MS);
    }
  })();
  const times: number[] = [];
  while (running) {
    times.push(await timePage(server.origin));
    await sleep(PAGE_PAUSE_MS);
  }
  await memory;
  return {
    report: await ended,
    page: figuresOf(times),
    memory: before === undefined ? null : { before, peak },
  };
}

function startCrowd() {
  const child = fork(new URL('./downloads/download-crowd.js', import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return {
    async run(order: CrowdOrder): Promise<CrowdReport> {
      child.send(order);
      const [report] = (await once(child, 'message')) as [CrowdReport];
      return report;
    },
    stop: () => child.disconnect(),
  };
}

/**
 * Fifty clients download 200 MB each from the web process as `npm start` serves it: at full speed, and at the speed of
 * household connections. At the same time, a visitor loads a page. Throws when a file arrives damaged.
 */
export async function measureDownloads(): Promise<DownloadFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-downloads-'));
  const crowd = startCrowd();
  let server: BenchedServer | null = null;
  try {
    const databaseFile = join(folder, 'packwatch.db');
    await migrateFileToLatest(databaseFile, migrations);
    const db = openSqliteDatabase(databaseFile);
    await seedNews(db);
    const token = await seedAdmin(db);
    const sha256 = await seedRelease(db, { dataDir: folder, version: '1.0.0', bytes: FILE_BYTES });
    await db.destroy();

    server = await startRemix(
      './build/server/index.js',
      {
        DATA_DIR: folder,
        REDIS_URL: process.env.REDIS_URL ?? '',
        SESSION_SECRET: 'a secret for as long as this run',
        LOG_LEVEL: 'info',
      },
      join(folder, 'ours.log'),
    );
    const url = `${server.origin}/api/downloads/windows`;
    const order = { url, token, clients: CLIENTS };
    // The first downloads and pages compile code and fill caches.
    await Promise.all([
      crowd.run({ ...order, clients: 2, bytesPerSecond: null, limitMs: FULL_SPEED_LIMIT_MS }),
      watchLoad(
        server,
        sleep(IDLE_MS / 2).then(() => null),
      ),
    ]);
    const idle = await watchLoad(
      server,
      sleep(IDLE_MS).then(() => null),
    );
    const fullSpeed = await watchLoad(
      server,
      crowd.run({ ...order, bytesPerSecond: null, limitMs: FULL_SPEED_LIMIT_MS }),
    );
    const { report } = fullSpeed;
    if (report?.sha256 !== sha256 || report.whole !== CLIENTS)
      throw new Error(`the downloads are not whole: ${JSON.stringify(report)}`);
    const lines = await watchLoad(
      server,
      crowd.run({ ...order, bytesPerSecond: LINE_BYTES_PER_SECOND, limitMs: LINES_LIMIT_MS }),
    );
    return { fileBytes: FILE_BYTES, clients: CLIENTS, idle, fullSpeed, lines };
  } finally {
    crowd.stop();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
