import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#shared/database/connection.server';
import { migrateToLatest } from '#shared/database/migrator.server';
import { migrations } from '../../../migrations/all-migrations';
import { TOOLS, type ToolName } from '../tools';
import { createTestDatabase, type TestDatabase } from '../database';

let test: TestDatabase;
let url: string;
let environment: Record<string, string | undefined>;
let dump: string;

beforeEach(async () => {
  test = await createTestDatabase();
  if (test.config.engine !== 'postgres') throw new Error('this test needs PostgreSQL');
  ({ url } = test.config);
  await test.db.destroy();
  dump = join(test.folder, 'backup.dump');
  environment = {
    ...test.environment,
    PATH: process.env.PATH,
    APP_URL: 'https://packwatch.test',
    DATA_DIR: test.folder,
    SESSION_SECRET: 'the secret of the time of the backup',
  };
});
afterEach(() => test.cleanup());

async function run(tool: ToolName, ...args: string[]) {
  const { code, stdout } = await TOOLS[tool]([...args, '--json'], environment);
  return { code, json: JSON.parse(stdout) as Record<string, unknown> };
}

async function onServer<Row>(statement: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
}

const addUser = (name: string) =>
  onServer(
    `insert into users (id, email, username, created_at, updated_at) values ('${name}', '${name}@packwatch.test', '${name}', '2026-11-27', '2026-11-27')`,
  );
const userIds = async () =>
  (await onServer<{ id: string }>('select id from users order by id')).map(({ id }) => id);

/** Whether the programs of PostgreSQL are installed, in the server's version or a later one. */
async function hasPrograms(): Promise<boolean> {
  const [server] = await onServer<{ version: number }>(
    "select current_setting('server_version_num')::int / 10000 as version",
  );
  try {
    const versions = ['pg_dump', 'pg_restore', 'psql'].map((name) =>
      Number(/ (\d+)/.exec(execFileSync(name, ['--version'], { encoding: 'utf8' }))?.[1]),
    );
    return versions.every((version) => version >= (server?.version ?? 0));
  } catch {
    return false;
  }
}

describe('a backup', () => {
  it('is restored: what is newer is named, what it replaces is kept', async (context) => {
    if (!(await hasPrograms())) context.skip('PostgreSQL’s client programs are not installed');
    await addUser('before');
    expect(await run('backup', dump)).toMatchObject({ code: 0, json: { backup: dump } });
    expect(statSync(dump).mode & 0o777).toBe(0o600);
    expect(readdirSync(test.folder)).toEqual(['backup.dump']);
    await onServer("delete from users where id = 'before'");
    await addUser('after');

    const db = openDatabase({ engine: 'postgres', url });
    await db.selectFrom('watches').select('id').execute();
    expect(await run('restore', dump)).toMatchObject({ code: 1, json: { code: 'database_in_use' } });
    await db.destroy();

    const restored = await run('restore', dump);
    const [schema] = await onServer<{ name: string }>(
      "select nspname as name from pg_namespace where nspname like 'replaced%'",
    );
    try {
      expect(restored).toMatchObject({
        code: 0,
        json: { replaced: `the schema ${schema?.name}`, damage: null, migrated: [], unreadable: [] },
      });
      expect((restored.json.changes as { label: string }[])[2]).toMatchObject({
        label: 'accounts',
        lost: 1,
        back: 1,
      });
      expect(await userIds()).toEqual(['before']);
      expect(await onServer(`select id from ${schema?.name}.users`)).toEqual([{ id: 'after' }]);
      // Triggers and foreign keys are restored as well.
      await expect(onServer('truncate token_ledger')).rejects.toThrow('append-only');
      await expect(
        onServer("insert into sessions values ('a', 'nobody', 'b', null, '', '', '', null)"),
      ).rejects.toThrow('foreign key');
      // A backup of the restored database is one again, without the replaced one.
      const second = join(test.folder, 'second.dump');
      expect(await run('backup', second)).toMatchObject({ code: 0 });
      expect(execFileSync('pg_restore', ['--list', second], { encoding: 'utf8' })).not.toContain('replaced');
    } finally {
      await onServer(`drop schema ${schema?.name} cascade`);
    }
  });

  it('is made with a password that holds a bare percent sign', async (context) => {
    if (!(await hasPrograms())) context.skip('PostgreSQL’s client programs are not installed');
    const address = new URL(url);
    // The server trusts each connection, so any password opens it.
    environment.DATABASE_URL = address.href.replace(/\/\/[^@/]*@/, `//${address.username}:100%@`);
    expect(environment.DATABASE_URL).toContain(':100%@');
    expect(await run('backup', dump)).toMatchObject({ code: 0 });
  });

  it('that is not of Packwatch, of a newer release or broken changes nothing', async (context) => {
    if (!(await hasPrograms())) context.skip('PostgreSQL’s client programs are not installed');
    await addUser('kept');
    writeFileSync(dump, 'no backup');
    expect(await run('restore', dump)).toMatchObject({ code: 1, json: { code: 'program_failed' } });
    await run('backup', join(test.folder, 'cut.dump'));
    truncateSync(join(test.folder, 'cut.dump'), Math.floor(statSync(join(test.folder, 'cut.dump')).size / 2));
    expect(await run('restore', join(test.folder, 'cut.dump'))).toMatchObject({ code: 1 });

    await onServer("insert into kysely_migration values ('9999-later', '')");
    const newer = join(test.folder, 'newer.dump');
    await run('backup', newer);
    await onServer("delete from kysely_migration where name = '9999-later'");
    expect(await run('restore', newer)).toMatchObject({
      code: 1,
      json: { code: 'backup_newer', message: expect.stringContaining('9999-later') },
    });
    expect(await userIds()).toEqual(['kept']);
    expect(await onServer("select 1 from pg_namespace where nspname like 'replaced%'")).toEqual([]);
  });

  it('needs the programs of PostgreSQL, and names them', async () => {
    environment.PATH = test.folder;
    const missing = (name: string) => ({
      code: 1,
      json: {
        code: 'program_missing',
        message: expect.stringMatching(`^${name} is not on the PATH.*postgresql-client`),
      },
    });
    expect(await run('backup', dump)).toMatchObject(missing('pg_dump'));
    expect(existsSync(dump)).toBe(false);
    writeFileSync(dump, '');
    expect(await run('restore', dump)).toMatchObject(missing('pg_restore'));
    expect(readdirSync(test.folder)).toEqual(['backup.dump']);
  });
});

it('a migration says that the database was not copied before, and is not reverted', async () => {
  const later = { up: () => Promise.resolve() };
  const { ran, note } = await migrateToLatest(
    { engine: 'postgres', url },
    { ...migrations, '9999-later': later },
  );
  expect(ran).toEqual(['9999-later']);
  expect(note).toContain('npm run backup');
  await onServer("delete from kysely_migration where name = '9999-later'");
  expect(await run('migrate', 'down')).toMatchObject({
    code: 1,
    json: { code: 'no_way_back', message: expect.stringContaining('restore the backup') },
  });
});
