import autocannon from 'autocannon';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { migrateFileToLatest } from '#shared/database/sqlite/migrator.server';
import { migrations } from '../../../migrations/all-migrations';
import { weighPage, type PageWeight } from './page-weight';
import { seedNews } from './seed-news';
import { middle } from '../figures';
import { startBare, startRemix, type BenchedServer } from './servers';

const CONNECTIONS = 24;
const ROUNDS = 5;
const SECONDS = 3;
const WARM_UP_SECONDS = 2;

/** What one series of a page came to: the middle of its rounds. */
export interface LoadFigures {
  requestsPerSecond: number;
  /** Milliseconds. */
  p99: number;
}

/** The series of one run. */
export const SERIES = [
  'bareList',
  'bareArticle',
  'minimal',
  'cachedList',
  'cachedArticle',
  'unchangedList',
  'uncachedList',
  'uncachedArticle',
] as const;
export type Series = (typeof SERIES)[number];

export interface PageLoad {
  load: Record<Series, LoadFigures>;
  memory: { now: number; peak: number } | null;
  weights: Record<string, PageWeight>;
  htmlBytes: { list: number; article: number };
}

export interface Target {
  server: BenchedServer;
  path: string;
  headers?: Record<string, string>;
  /** Makes each request one that no cache knows. */
  unique?: boolean;
}

/** Loads a page for `seconds`. Throws for an answer that is no success. */
export async function fire(
  { server, path, headers = {}, unique = false }: Target,
  { seconds, connections = CONNECTIONS }: { seconds: number; connections?: number },
): Promise<LoadFigures> {
  let count = 0;
  const result = await autocannon({
    url: server.origin,
    connections,
    duration: seconds,
    requests: [
      {
        method: 'GET',
        path,
        headers,
        ...(unique
          ? {
              setupRequest: (request: autocannon.Request) => ({
                ...request,
                path: `${path}?n=${(count += 1)}`,
              }),
            }
          : {}),
      },
    ],
  });
  const expected = headers['if-none-match'] === undefined ? result['2xx'] : result['3xx'];
  if (result.errors > 0 || result.non2xx - result['3xx'] > 0 || expected === 0)
    throw new Error(`${path}: ${result.errors} errors, ${result.non2xx} answers that are no success`);
  return { requestsPerSecond: result.requests.total / result.duration, p99: result.latency.p99 };
}

async function buildMinimal(folder: string): Promise<string> {
  const child = spawn(
    process.execPath,
    ['node_modules/@remix-run/dev/dist/cli.js', 'vite:build', 'tests/bench/page-load/minimal-app'],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, NODE_ENV: 'production', BENCH_MINIMAL_BUILD: folder },
    },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('the minimal page does not build');
  return join(folder, 'server', 'index.js');
}

/**
 * Loads the news pages, and beside them a server without a framework that reads the same rows and sends the same bytes,
 * and the least page that the same framework can render. One after the other, round by round, so that all of them see
 * the same machine. Every request comes from a visitor who is not signed in.
 */
export async function measurePages(): Promise<PageLoad> {
  // Inside the checkout: a build finds its packages from where it stands.
  mkdirSync('.cache', { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-page-load-'));
  const minimalFolder = mkdtempSync(join(process.cwd(), '.cache', 'minimal-'));
  const servers: BenchedServer[] = [];
  try {
    const databaseFile = join(folder, 'packwatch.db');
    await migrateFileToLatest(databaseFile, migrations);
    const db = openSqliteDatabase(databaseFile);
    const articleId = await seedNews(db);
    await db.destroy();

    const ours = await startRemix(
      './build/server/index.js',
      {
        DATA_DIR: folder,
        REDIS_URL: process.env.REDIS_URL ?? '',
        SESSION_SECRET: 'a secret for as long as this run',
        LOG_LEVEL: 'info',
      },
      join(folder, 'ours.log'),
    );
    servers.push(ours);
    const minimal = await startRemix(await buildMinimal(minimalFolder), {}, join(folder, 'minimal.log'));
    servers.push(minimal);
    const article = `/news/${articleId}`;
    const [listAnswer, articleAnswer] = await Promise.all([
      fetch(ours.origin + '/news'),
      fetch(ours.origin + article),
    ]);
    const pages = { list: await listAnswer.text(), article: await articleAnswer.text(), articleId };
    const bare = await startBare(databaseFile, pages, folder);
    servers.push(bare);

    const targets: Record<Series, Target> = {
      bareList: { server: bare, path: '/news' },
      bareArticle: { server: bare, path: '/article' },
      minimal: { server: minimal, path: '/' },
      cachedList: { server: ours, path: '/news' },
      cachedArticle: { server: ours, path: article },
      unchangedList: {
        server: ours,
        path: '/news',
        headers: { 'if-none-match': listAnswer.headers.get('etag') ?? '' },
      },
      uncachedList: { server: ours, path: '/news', unique: true },
      uncachedArticle: { server: ours, path: article, unique: true },
    };
    const rounds = Object.fromEntries(SERIES.map((name) => [name, [] as LoadFigures[]])) as Record<
      Series,
      LoadFigures[]
    >;
    for (const name of SERIES) await fire(targets[name], { seconds: WARM_UP_SECONDS });
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of SERIES) rounds[name].push(await fire(targets[name], { seconds: SECONDS }));
    }
    const memory = ours.memory();
    const weights: Record<string, PageWeight> = {};
    for (const [name, path] of [
      ['landing', '/'],
      ['news list', '/news'],
      ['article', article],
      ['restock', '/restock/console'],
    ] as const)
      weights[name] = await weighPage(ours.origin, path);

    return {
      load: Object.fromEntries(
        SERIES.map((name) => [
          name,
          {
            requestsPerSecond: Math.round(middle(rounds[name].map((figures) => figures.requestsPerSecond))),
            p99: middle(rounds[name].map((figures) => figures.p99)),
          },
        ]),
      ) as Record<Series, LoadFigures>,
      memory,
      weights,
      htmlBytes: { list: Buffer.byteLength(pages.list), article: Buffer.byteLength(pages.article) },
    };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
    rmSync(minimalFolder, { recursive: true, force: true });
  }
}
