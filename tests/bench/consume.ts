import Sqlite from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toIso } from '#shared/clock';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { migrateFileToLatest } from '#shared/database/sqlite/migrator.server';
import { newId } from '#shared/ids';
import { migrations } from '../../migrations/all-migrations';
import { atSteadyRate, createConsumers, MEMBERS, PER_SECOND } from './consumers';
import { figuresOf, ratiosOf, type Figures, type Ratios } from './figures';
import { startRemix } from './page-load/servers';

const ROUNDS = 6;
const ROUND_SECONDS = 4;
const WARM_UP_SECONDS = 4;
const AIM_P99_MS = 50;

export interface ConsumeFigures {
  perSecond: number;
  /** Milliseconds from when a request was due to its whole answer. */
  consume: Figures;
  /** Milliseconds of a bare transaction: begin immediate, insert, update, commit. */
  bare: Figures;
  ratios: Ratios;
  /** Processor time of the web process per request in milliseconds; null on systems without /proc. */
  processorMs: number | null;
  /** Resident memory of the web process in MiB; null on systems without /proc. */
  memory: { now: number; peak: number } | null;
}

/** A bare transaction of the same kind on a file beside the product's, with the product's settings for the file. */
function openBare(file: string): { consume(): void; close(): void } {
  const sqlite = new Sqlite(file);
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = NORMAL');
  sqlite.exec(`create table balances (user_id text primary key, balance integer not null);
    create table ledger (id text primary key, user_id text not null, task_id text not null, tokens integer not null,
      created_at text not null, unique (user_id, task_id))`);
  for (let index = 0; index < MEMBERS; index += 1)
    sqlite.prepare('insert into balances values (?, 1000)').run(`member-${index}`);
  const begin = sqlite.prepare('begin immediate');
  const insert = sqlite.prepare('insert into ledger values (?, ?, ?, -1, ?)');
  const update = sqlite.prepare('update balances set balance = balance - 1 where user_id = ?');
  const commit = sqlite.prepare('commit');
  let count = 0;
  return {
    consume() {
      const member = `member-${(count += 1) % MEMBERS}`;
      begin.run();
      insert.run(newId(), member, newId(), toIso(Date.now()));
      update.run(member);
      commit.run();
    },
    close: () => sqlite.close(),
  };
}

/**
 * Consumes tokens over HTTP from the built web process, 200 a second from 60 members, with Redis for the rate limits; and
 * in turn, at the same rate on the same disk, runs a bare transaction. Both series see the same machine.
 */
export async function measureConsume(): Promise<ConsumeFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-consume-'));
  const databaseFile = join(folder, 'packwatch.db');
  await migrateFileToLatest(databaseFile, migrations);
  const db = openSqliteDatabase(databaseFile);
  const consumers = await createConsumers(db);
  const bare = openBare(join(folder, 'bare.db'));
  const web = await startRemix(
    './build/server/index.js',
    {
      DATA_DIR: folder,
      REDIS_URL: process.env.REDIS_URL ?? '',
      SESSION_SECRET: 'a secret for as long as this run',
      LOG_LEVEL: 'info',
    },
    join(folder, 'web.log'),
  );
  async function consume(index: number): Promise<void> {
    if (!(await consumers.consume(web.origin, index))) throw new Error('the database was busy');
  }

  let processorMs = 0;
  const series = { consume: [] as number[], bare: [] as number[] };
  try {
    await atSteadyRate(WARM_UP_SECONDS, consume);
    await atSteadyRate(1, async () => bare.consume());
    for (let round = 0; round < ROUNDS; round += 1) {
      await atSteadyRate(ROUND_SECONDS, async () => {
        const startedAt = performance.now();
        bare.consume();
        series.bare.push(performance.now() - startedAt);
      });
      const before = web.processorTime();
      await atSteadyRate(ROUND_SECONDS, async (index, due) => {
        await consume(index);
        series.consume.push(performance.now() - due);
      });
      processorMs += (web.processorTime() ?? Number.NaN) - (before ?? Number.NaN);
    }
    await consumers.requireExactLedgers();
    const figures = { consume: figuresOf(series.consume), bare: figuresOf(series.bare) };
    return {
      perSecond: PER_SECOND,
      ...figures,
      ratios: ratiosOf(figures.consume, figures.bare),
      processorMs: Number.isNaN(processorMs) ? null : processorMs / series.consume.length,
      memory: web.memory(),
    };
  } finally {
    await consumers.close();
    await web.stop();
    bare.close();
    await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Formats the figures as lines of text. */
export function showConsume({
  perSecond,
  consume,
  bare,
  ratios,
  processorMs,
  memory,
}: ConsumeFigures): string[] {
  const line = ({ p50, p99, max, n }: Figures) =>
    `p50 ${p50.toFixed(2)} ms   p99 ${p99.toFixed(2)} ms   max ${max.toFixed(2)} ms   n ${n}`;
  return [
    `Consuming tokens over HTTP, ${perSecond} a second, ${MEMBERS} members, every ledger exact`,
    `  POST /api/tokens/consume     ${line(consume)}`,
    `  bare begin, insert, update   ${line(bare)}`,
    `  consume / bare: p50 ${ratios.p50.toFixed(0)}x, p99 ${ratios.p99.toFixed(0)}x`,
    `  aim: p99 below ${AIM_P99_MS} ms`,
    ...(processorMs === null
      ? []
      : [`  processor time of the web process: ${processorMs.toFixed(2)} ms a request`]),
    ...(memory === null
      ? []
      : [`  memory of the web process: ${memory.now} MiB, at its highest ${memory.peak} MiB`]),
  ];
}
