import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import { SECOND } from '#shared/clock';
import type { DatabaseConfig } from '#shared/database-config';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { connectQueues } from '#shared/queues/connection.server';
import type * as privatePostgres from '../../../scripts/processes/private-postgres.mjs';
import { measureAlertLatency, type LatencyReport } from '../alert-latency';
import { createBenchFixture } from '../bench-fixture';
import { atSteadyRate, createConsumers, type Consumers } from '../consumers';
import { figuresOf, middle, type Figures } from '../figures';
import { fire, type LoadFigures } from '../page-load/measure-pages';
import { seedNews } from '../page-load/seed-news';
import { addCrowd, planCrowd, startCrowd } from '../watches/add-crowd';
import { measureCrowd, readPhases, SETTLE_MS, type CrowdFigures } from '../watches/measure-crowd';
import { readProcess, startShops } from '../watches/measure-watches';
import { startDelayingProxy, startSite, type Site } from './sites';

/** The delay that a network between the machines adds to each round trip. */
export const ADDED_MS = 0.5;
const ROUNDS = 3;
const PAGE_SECONDS = 2;
const CONNECTIONS = 24;
const CONSUME_SECONDS = 4;
const WARM_UP_SECONDS = 2;
const ALERTS = { rounds: 100, warmUp: 150 };
const ROUND_TRIPS = 300;
export const WATCHES = 400;
export const INTERVAL_SECONDS = 30;
/** The first checks of all watches come within one interval. */
const WATCHES_WARM_UP_MS = (INTERVAL_SECONDS + 5) * SECOND;

export interface PageFigures extends LoadFigures {
  /** Processor time of all web processes per request in milliseconds. */
  processorMs: number;
}

export interface ConsumptionFigures {
  /** Milliseconds from the due time of a request to its whole answer, including refused requests. */
  time: Figures;
  /** How many were refused, because the database was busy. */
  refused: number;
}

export interface SiteFigures {
  label: string;
  cached: PageFigures;
  rendered: PageFigures;
  consume: ConsumptionFigures;
  crowd: CrowdFigures;
  /** Processor time of each daemon as a share of one core. */
  daemonShares: number[];
}

export interface ScaleReport {
  /** Milliseconds of a statement that reads nothing. */
  roundTrip: { direct: number; delayed: number };
  alerts: { sqlite: LatencyReport; postgres: LatencyReport };
  sites: SiteFigures[];
}

async function createDatabase(server: string, name: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
}

async function measureRoundTrip(url: string): Promise<number> {
  const db = openDatabase({ engine: 'postgres', url });
  const series: number[] = [];
  for (let index = 0; index < ROUND_TRIPS; index += 1) {
    const startedAt = performance.now();
    await sql`select 1`.execute(db);
    series.push(performance.now() - startedAt);
  }
  await db.destroy();
  return middle(series);
}

async function measureAlertsOn(redisUrl: string, database?: DatabaseConfig): Promise<LatencyReport> {
  const fixture = await createBenchFixture(redisUrl, database);
  try {
    return await measureAlertLatency(fixture, ALERTS);
  } finally {
    await fixture.close();
  }
}

/** Loads all web processes of a site at once. */
async function loadPage({ webs }: Site, { unique, seconds }: { unique: boolean; seconds: number }) {
  const processorTime = () => webs.reduce((sum, web) => sum + (web.processorTime() ?? Number.NaN), 0);
  const before = processorTime();
  const loads = await Promise.all(
    webs.map((server) =>
      fire({ server, path: '/news', unique }, { seconds, connections: CONNECTIONS / webs.length }),
    ),
  );
  const requestsPerSecond = loads.reduce((sum, load) => sum + load.requestsPerSecond, 0);
  return {
    requestsPerSecond,
    p99: Math.max(...loads.map((load) => load.p99)),
    processorMs: (processorTime() - before) / (requestsPerSecond * seconds),
  };
}

/** Runs `measure` for each site, the first time without using the result, then in `ROUNDS` rounds. */
async function inTurn<Result>(
  sites: readonly Site[],
  measure: (site: Site, isWarmUp: boolean) => Promise<Result>,
): Promise<Result[][]> {
  const results: Result[][] = sites.map(() => []);
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [index, site] of sites.entries()) {
      const result = await measure(site, round === 0);
      if (round > 0) results[index]?.push(result);
    }
  return results;
}

async function measurePage(sites: readonly Site[], unique: boolean): Promise<PageFigures[]> {
  const rounds = await inTurn(sites, (site, isWarmUp) =>
    loadPage(site, { unique, seconds: isWarmUp ? 1 : PAGE_SECONDS }),
  );
  return rounds.map((loads) => ({
    requestsPerSecond: Math.round(middle(loads.map((load) => load.requestsPerSecond))),
    p99: middle(loads.map((load) => load.p99)),
    processorMs: middle(loads.map((load) => load.processorMs)),
  }));
}

async function measureConsumption(sites: readonly Site[]): Promise<ConsumptionFigures[]> {
  const consumers = new Map<Site, Consumers>();
  for (const site of sites) consumers.set(site, await createConsumers(site.db));
  const series = await inTurn(sites, async (site, isWarmUp) => {
    const times: number[] = [];
    let refused = 0;
    await atSteadyRate(isWarmUp ? WARM_UP_SECONDS : CONSUME_SECONDS, async (index, due) => {
      const { origin } = site.webs[index % site.webs.length] as Site['webs'][number];
      if (!(await consumers.get(site)?.consume(origin, index))) refused += 1;
      times.push(performance.now() - due);
    });
    return { times, refused };
  });
  for (const one of consumers.values()) {
    await one.requireExactLedgers();
    await one.close();
  }
  return series.map((rounds) => ({
    time: figuresOf(rounds.flatMap(({ times }) => times)),
    refused: rounds.reduce((sum, { refused }) => sum + refused, 0),
  }));
}

/** Stops the checks of all watches, so that the next site has the machine. */
async function stopWatches(db: Database): Promise<void> {
  await db.updateTable('watches').set({ running: 0 }).execute();
}

async function measureWatchesOf(site: Site): Promise<Pick<SiteFigures, 'crowd' | 'daemonShares'>> {
  const shops = await startShops();
  const queues = connectQueues(site.redisUrl);
  const daemons = await site.startDaemons({
    ALLOWED_PRIVATE_HOSTS: shops.host,
    DISCORD_WEBHOOK_HOSTS: shops.host,
  });
  try {
    const crowd = planCrowd(WATCHES);
    await addCrowd(site.db, crowd, { shops, intervalSeconds: INTERVAL_SECONDS });
    await startCrowd(site.db, crowd);
    await sleep(WATCHES_WARM_UP_MS);
    const phases = await readPhases(queues);
    const from = Date.now();
    const before = daemons.pids.map((pid) => readProcess(pid).cpuMs);
    await sleep(INTERVAL_SECONDS * SECOND);
    const to = Date.now();
    const after = daemons.pids.map((pid) => readProcess(pid).cpuMs);
    await stopWatches(site.db);
    await sleep(SETTLE_MS);
    return {
      crowd: measureCrowd(crowd, await shops.take(), phases, { from, to }),
      daemonShares: after.map((cpuMs, index) => (cpuMs - (before[index] ?? 0)) / (to - from)),
    };
  } finally {
    await daemons.stop();
    await queues.close();
    shops.close();
  }
}

/**
 * Measures one site on SQLite and two on PostgreSQL, one with one web process and one daemon and one with two of each. All run
 * on this machine; a proxy adds 0.5 ms to each round trip between PostgreSQL and the product.
 */
export async function measureScale(redisUrl: string): Promise<ScaleReport> {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-scale-'));
  // Bundled, the module would look for its files below build/.
  const module = pathToFileURL(resolve('scripts/processes/private-postgres.mjs')).href;
  const { startPrivatePostgres } = (await import(module)) as typeof privatePostgres;
  const postgres = await startPrivatePostgres();
  const proxy = await startDelayingProxy(postgres.port, ADDED_MS);
  const sites: Site[] = [];

  async function createServerDatabase(name: string): Promise<{ direct: DatabaseConfig; url: string }> {
    await createDatabase(postgres.urlOf('postgres'), name);
    return {
      direct: { engine: 'postgres', url: postgres.urlOf(name) },
      url: postgres.urlOf(name, proxy.port),
    };
  }

  /** `database`: the number of the site's database in Redis. */
  async function addSite(label: string, processes: number, database: number): Promise<void> {
    const url = new URL(redisUrl);
    url.searchParams.set('db', String(database));
    const own = join(folder, `site-${database}`);
    const file = join(own, 'packwatch.db');
    const site = await startSite({
      label,
      processes,
      database: label.startsWith('SQLite')
        ? { direct: { engine: 'sqlite', file }, url: `file:${file}` }
        : await createServerDatabase(`site_${database}`),
      redisUrl: url.href,
      folder: own,
    });
    sites.push(site);
    await seedNews(site.db);
  }

  try {
    const roundTrip = {
      direct: await measureRoundTrip(postgres.urlOf('postgres')),
      delayed: await measureRoundTrip(postgres.urlOf('postgres', proxy.port)),
    };
    const { url } = await createServerDatabase('alerts');
    const alerts = {
      sqlite: await measureAlertsOn(redisUrl),
      postgres: await measureAlertsOn(redisUrl, { engine: 'postgres', url }),
    };
    await addSite('SQLite, 1 web, 1 daemon', 1, 1);
    await addSite('PostgreSQL, 1 web, 1 daemon', 1, 2);
    await addSite('PostgreSQL, 2 webs, 2 daemons', 2, 3);
    const cached = await measurePage(sites, false);
    const rendered = await measurePage(sites, true);
    const consume = await measureConsumption(sites);
    const figures: SiteFigures[] = [];
    for (const [index, site] of sites.entries()) {
      const missing: PageFigures = {
        requestsPerSecond: Number.NaN,
        p99: Number.NaN,
        processorMs: Number.NaN,
      };
      figures.push({
        label: site.label,
        cached: cached[index] ?? missing,
        rendered: rendered[index] ?? missing,
        consume: consume[index] ?? { time: figuresOf([]), refused: 0 },
        ...(await measureWatchesOf(site)),
      });
    }
    return { roundTrip, alerts, sites: figures };
  } finally {
    await Promise.all(sites.map((site) => site.close()));
    proxy.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
