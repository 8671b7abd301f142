import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { MINUTE, SECOND } from '#shared/clock';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { connectQueues } from '#shared/queues/connection.server';
import { startStack } from '../../e2e/stack';
import { addCrowd, planCrowd, startCrowd } from './add-crowd';
import type { Behaviour, CrowdRecords } from './crowd-shops';
import { measureCrowd, readPhases, SETTLE_MS, showCrowd, type CrowdFigures } from './measure-crowd';

const WATCHES = 200;
const INTERVAL_SECONDS = 60;
/** The first checks of all watches come within one interval. */
const WARM_UP_MS = (INTERVAL_SECONDS + 15) * SECOND;
/** `/status` as visitors read it; the others with a parameter, to bypass caches. */
const PAGES = ['/', '/news', '/healthz', '/status'];
const CACHED_PAGES = ['/status'];
const PAGE_SECONDS = 20;
const PAGE_REQUESTS_PER_SECOND = 40;

interface PageFigures {
  path: string;
  /** Milliseconds. */
  without: { p50: number; p99: number };
  with: { p50: number; p99: number };
}

export interface WatchesReport {
  watches: number;
  intervalSeconds: number;
  minutes: number;
  crowd: CrowdFigures;
  pages: PageFigures[];
  /** Of the daemon, in MiB. */
  memory: { now: number; peak: number };
  /** Processor time of the daemon as a share of one core. */
  processorShare: number;
}

/** Memory in MiB and processor time of a process. */
export function readProcess(pid: number): { now: number; peak: number; cpuMs: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (field: string): number =>
    Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024);
  // Fields 14 and 15, in ticks of 10 ms (proc(5)); the second field may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return {
    now: mebibytes('VmRSS'),
    peak: mebibytes('VmHWM'),
    cpuMs: (Number(fields[11]) + Number(fields[12])) * 10,
  };
}

/** Starts the shops of a crowd in their own process. */
export async function startShops() {
  const child = fork(new URL('./watches/crowd-process.js', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ host }] = (await once(child, 'message')) as [{ host: string }];
  return {
    host,
    pageUrl: (shop: string, behaviour: Behaviour) => `http://${host}/shop/${behaviour}/${shop}`,
    webhookUrl: (shop: string) => `http://${host}/api/webhooks/1/${shop}`,
    async take(): Promise<CrowdRecords> {
      child.send('take');
      const [records] = (await once(child, 'message')) as [CrowdRecords];
      return records;
    },
    close: () => child.disconnect(),
  };
}

/** Response times of public pages at a steady rate. */
async function loadPages(siteUrl: string): Promise<{ p50: number; p99: number }[]> {
  const figures: { p50: number; p99: number }[] = [];
  for (const path of PAGES) {
    let count = 0;
    const { latency, errors, non2xx } = await autocannon({
      url: siteUrl,
      connections: 4,
      overallRate: PAGE_REQUESTS_PER_SECOND,
      duration: PAGE_SECONDS,
      requests: [
        {
          method: 'GET',
          setupRequest: (request) => ({
            ...request,
            path: CACHED_PAGES.includes(path) ? path : `${path}?n=${(count += 1)}`,
          }),
        },
      ],
    });
    if (errors + non2xx > 0)
      throw new Error(`${path}: ${errors} errors, ${non2xx} answers that are no success`);
    figures.push({ p50: latency.p50, p99: latency.p99 });
  }
  return figures;
}

/** Runs 200 watches at 60 s for `minutes` on the built product and measures checks, alerts, pages and memory. */
export async function measureWatches(redisUrl: string, minutes: number): Promise<WatchesReport> {
  const shops = await startShops();
  const stack = await startStack(redisUrl, {
    variables: {
      ALLOWED_PRIVATE_HOSTS: shops.host,
      DISCORD_WEBHOOK_HOSTS: shops.host,
      SCRAPPEY_API_KEY: '',
    },
  });
  const db = openSqliteDatabase(join(stack.dataDir, 'packwatch.db'));
  const queues = connectQueues(redisUrl);
  try {
    const daemon = stack.pids().daemon ?? 0;
    const without = await loadPages(stack.siteUrl);
    const crowd = planCrowd(WATCHES);
    await addCrowd(db, crowd, { shops, intervalSeconds: INTERVAL_SECONDS });
    await startCrowd(db, crowd);
    await sleep(WARM_UP_MS);
    const warmUp = await shops.take();
    const phases = await readPhases(queues);
    const from = Date.now();
    const cpuBefore = readProcess(daemon).cpuMs;
    const loading = loadPages(stack.siteUrl);
    await sleep(minutes * MINUTE);
    const to = Date.now();
    const after = readProcess(daemon);
    const withWatches = await loading;
    await sleep(SETTLE_MS);
    const taken = await shops.take();
    const records: CrowdRecords = {
      pages: [...warmUp.pages, ...taken.pages],
      messages: [...warmUp.messages, ...taken.messages],
      inwardConnections: warmUp.inwardConnections + taken.inwardConnections,
    };
    return {
      watches: WATCHES,
      intervalSeconds: INTERVAL_SECONDS,
      minutes,
      crowd: measureCrowd(crowd, records, phases, { from, to }),
      pages: PAGES.map((path, index) => ({
        path,
        without: without[index] ?? { p50: Number.NaN, p99: Number.NaN },
        with: withWatches[index] ?? { p50: Number.NaN, p99: Number.NaN },
      })),
      memory: { now: after.now, peak: after.peak },
      processorShare: (after.cpuMs - cpuBefore) / (to - from),
    };
  } finally {
    queues.redis.disconnect();
    await db.destroy();
    await stack.stop();
    shops.close();
  }
}

export function showWatches(report: WatchesReport): string[] {
  const { watches, intervalSeconds, minutes, pages, memory } = report;
  return [
    `${watches} watches every ${intervalSeconds} s for ${minutes} minutes: a third flaps, one hangs, one redirects to our own network`,
    ...showCrowd(report.crowd),
    ...pages.map(
      (page) =>
        `  ${page.path} without the watches p50 ${page.without.p50} ms, p99 ${page.without.p99} ms; with them p50 ${page.with.p50} ms, p99 ${page.with.p99} ms`,
    ),
    `  daemon: ${memory.now} MiB, peak ${memory.peak} MiB (aim: below 300), ${(report.processorShare * 100).toFixed(0)} % of one core`,
  ];
}
