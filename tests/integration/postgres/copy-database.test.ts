import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { openDatabase } from '#shared/database/connection.server';
import { openSqlite } from '#shared/database/sqlite/sqlite-database.server';
import { sealWebhook } from '#shared/alerts/webhooks/webhook-seal.server';
import { readConfig } from '#shared/config.server';
import { openKeyring } from '#shared/secrets.server';
import { tool } from '../../../daemon/cli/copy-database';
import { bundlePrograms, type BundledPrograms } from '../bundled-programs';
import { RUN_TOOL, startChild } from '../child-process';
import { createTestDatabase, type TestDatabase } from '../database';
import { fillEveryTable } from '../every-table';

/** `PACKWATCH_ROUNDS=50` makes fifty copies there and back, and kills fifty. */
const repeats = Number(process.env.PACKWATCH_ROUNDS ?? 1) - 1;

let test: TestDatabase;
let url: string;
let file: string;
let environment: Record<string, string>;

let programs: BundledPrograms;
beforeAll(async () => {
  programs = await bundlePrograms(['daemon/cli/copy-database.ts']);
});
afterAll(() => programs.remove());

beforeEach(async () => {
  test = await createTestDatabase();
  if (test.config.engine !== 'postgres') throw new Error('this test needs PostgreSQL');
  ({ url } = test.config);
  // No pool of this process may be connected.
  await test.db.destroy();
  file = newFile('source.db');
  environment = {
    APP_URL: 'https://packwatch.test',
    DATA_DIR: test.folder,
    SESSION_SECRET: 'the secret of the source and of the copy',
    SANDBOX: '1',
  };
});
afterEach(() => test.cleanup());

/** A migrated SQLite file. */
function newFile(name: string): string {
  const path = join(test.folder, name);
  copyFileSync(inject('templateDatabase'), path);
  return path;
}

interface Output {
  success: boolean;
  code?: string;
  message?: string;
  rows: number;
  tables: { name: string; rows: number; sha256: string }[];
}

async function copy(from: string, to: string): Promise<{ code: number; json: Output }> {
  const { code, stdout } = await tool(['--to', to, '--json'], { ...environment, DATABASE_URL: from });
  return { code, json: JSON.parse(stdout) as Output };
}

/** Fills every table, with secrets that SESSION_SECRET opens. */
function fill(rows: number): void {
  fillEveryTable(file, rows);
  const keyring = openKeyring(readConfig(environment));
  const sqlite = openSqlite(file);
  sqlite
    .prepare('update webhooks set sealed_url = ?')
    .run(sealWebhook(keyring, 'https://discord.com/api/webhooks/1/a'));
  sqlite.prepare('update push_keys set sealed_private_key = ?').run(keyring.seal('push', 'a key'));
  sqlite
    .prepare('update proxy_assignments set sealed_proxy = ?')
    .run(keyring.seal('proxy', 'http://proxy.example'));
  sqlite.close();
}

/** The rows of every table of a file. */
function rowsOf(path: string): Record<string, string[]> {
  const sqlite = openSqlite(path);
  const names = sqlite
    .prepare("select name from sqlite_master where type = 'table' and name not like 'kysely_%' order by name")
    .pluck()
    .all() as string[];
  const rows = names.map((name) => {
    const all = sqlite.prepare(`select * from "${name}"`).all();
    return [name, all.map((row) => JSON.stringify(row)).toSorted()];
  });
  sqlite.close();
  return Object.fromEntries(rows) as Record<string, string[]>;
}

/** Runs statements on the PostgreSQL database as another program, and returns the rows of the last one. */
async function onServer<Row>(...statements: string[]): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows as Row[];
  } finally {
    await client.end();
  }
}

const countUsers = async () =>
  (await onServer<{ count: number }>('select count(*)::int as count from users'))[0]?.count;

it(
  'a database with every table filled is the same after a copy to PostgreSQL and back',
  { repeats },
  async () => {
    fill(120);
    const there = await copy(`file:${file}`, url);
    expect(there).toMatchObject({ code: 0, json: { success: true } });
    expect(there.json.tables.filter(({ rows }) => rows === 0)).toEqual([]);
    const returned = newFile('returned.db');
    const back = await copy(url, `file:${returned}`);
    expect(back).toMatchObject({ code: 0, json: { tables: there.json.tables } });
    expect(rowsOf(returned)).toEqual(rowsOf(file));

    expect(await copy(`file:${file}`, url)).toMatchObject({
      code: 1,
      json: {
        code: 'target_not_empty',
        message: expect.stringMatching(/users \(120\).*Make a new database/),
      },
    });
    expect(await copy(url, `file:${returned}`)).toMatchObject({
      code: 1,
      json: { code: 'target_not_empty' },
    });
    // The constraints are as the migrations made them.
    expect(await onServer("select 1 from pg_constraint where contype = 'f' and condeferrable")).toEqual([]);
  },
);

it('is refused while a process has one of the two open, and for a target that is not migrated', async () => {
  fill(3);
  const inUse = { code: 1, json: { code: 'database_in_use' } };
  for (const config of [
    { engine: 'postgres', url },
    { engine: 'sqlite', file },
  ] as const) {
    const db = openDatabase(config);
    await db.selectFrom('watches').select('id').execute();
    expect(await copy(`file:${file}`, url)).toMatchObject(inUse);
    expect(await copy(url, `file:${file}`)).toMatchObject(inUse);
    await db.destroy();
  }
  expect(await copy(`file:${file}`, `file:${test.folder}/new.db`)).toMatchObject({
    code: 1,
    json: { code: 'database_missing', message: expect.stringContaining('npm run migrate') },
  });
  expect(await copy(`file:${file}`, `file:${file}`)).toMatchObject({ code: 2 });
  expect(await countUsers()).toBe(0);
});

it('nothing is kept of a copy that differs, or whose secrets cannot be opened', async () => {
  fill(3);
  environment.SESSION_SECRET = 'another secret, as long as the first one';
  expect(await copy(`file:${file}`, url)).toMatchObject({
    code: 1,
    json: { code: 'secrets_unreadable', message: expect.stringContaining('the key of web push') },
  });
  expect(await countUsers()).toBe(0);

  await onServer(
    `create function distort() returns trigger language plpgsql as $$ begin new.title = 'another'; return new; end $$`,
    'create trigger distort before insert on articles for each row execute function distort()',
  );
  expect(await copy(`file:${file}`, url)).toMatchObject({
    code: 1,
    json: { code: 'copy_differs', message: expect.stringContaining('articles (3 rows with other values)') },
  });
  await onServer('drop function distort cascade');
  expect(await countUsers()).toBe(0);
});

it(
  'killed in the middle, the target is empty as before, and the copy can be repeated',
  { repeats },
  async () => {
    fill(300);
    const child = startChild([RUN_TOOL, programs.fileOf('daemon/cli/copy-database.ts'), '--to', url], {
      ...environment,
      DATABASE_URL: `file:${file}`,
    });
    const ours =
      "from pg_stat_activity where application_name = 'packwatch' and datname = current_database()";
    await expect
      .poll(() => onServer(`select 1 ${ours} and query like 'insert into%'`), { interval: 10 })
      .toHaveLength(1);
    await child.kill('SIGKILL');
    await expect.poll(() => onServer(`select 1 ${ours}`)).toEqual([]);
    expect(await countUsers()).toBe(0);
    expect(await copy(`file:${file}`, url)).toMatchObject({ code: 0 });
  },
);
