import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#shared/database/connection.server';
import { openSqliteDatabase, openSqlite } from '#shared/database/sqlite/sqlite-database.server';
import { migrateFileDown, migrateFileToLatest } from '#shared/database/sqlite/migrator.server';
import { NewerSchemaError } from '#shared/database/schema-error';
import { newId } from '#shared/ids';
import { migrations } from '../../../migrations/all-migrations';
import { bundlePrograms, type BundledPrograms } from '../bundled-programs';
import { RUN_TOOL, startChild } from '../child-process';
import { eventually } from '../../eventually';

const names = Object.keys(migrations);
const latest = names.at(-1) ?? '';
const later: Migration = {
  up: (db) => db.schema.createTable('later').addColumn('id', 'text').execute(),
  down: (db) => db.schema.dropTable('later').execute(),
};

let programs: BundledPrograms;
let folder: string;
let file: string;

beforeAll(async () => {
  programs = await bundlePrograms(['daemon/cli/migrate.ts', 'daemon/cli/backup.ts']);
});
afterAll(() => programs.remove());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-migrations-'));
  file = join(folder, 'packwatch.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function inDatabase<T>(path: string, read: (db: Database) => Promise<T>): Promise<T> {
  const db = openSqliteDatabase(path);
  try {
    return await read(db);
  } finally {
    await db.destroy();
  }
}

/** Tables and indexes as SQL, without those of the migrator. */
function readSchema(path: string): Promise<string[]> {
  return inDatabase(path, async (db) => {
    const { rows } = await sql<{ sql: string }>`
      select sql from sqlite_master where sql is not null and name not like 'kysely_%' order by name`.execute(
      db,
    );
    return rows.map((row) => row.sql);
  });
}

const integrity = (path: string) =>
  inDatabase(
    path,
    async (db) => (await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)).rows,
  );

const runTool = async (name: string, ...args: string[]) => {
  const child = startChild([RUN_TOOL, programs.fileOf(`daemon/cli/${name}.ts`), ...args], {
    DATA_DIR: folder,
  });
  const { code } = await child.ended;
  return { code, stdout: child.stdout(), stderr: child.stderr() };
};

describe('migrations', () => {
  it('run up, all the way down, and up again to the same schema', async () => {
    expect(await migrateFileToLatest(file, migrations)).toEqual({ ran: names, backup: null });
    const schema = await readSchema(file);
    expect(schema.length).toBeGreaterThan(10);
    for (const name of [...names].reverse())
      expect((await migrateFileDown(file, migrations, { backUp: false })).ran).toEqual([name]);
    expect(await readSchema(file)).toEqual([]);
    expect((await migrateFileDown(file, migrations)).ran).toEqual([]);
    await migrateFileToLatest(file, migrations);
    expect(await readSchema(file)).toEqual(schema);
    expect((await migrateFileToLatest(file, migrations)).ran).toEqual([]);
  });

  it('run once when two processes start them concurrently on a new file', async () => {
    const both = await Promise.all([runTool('migrate'), runTool('migrate')]);
    expect(both.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ]);
    const output = both.map(({ stdout }) => stdout).join('');
    expect(output.match(new RegExp(`Migrated ${latest}`, 'g'))).toHaveLength(1);
    expect(await integrity(file)).toEqual([{ integrity_check: 'ok' }]);
  });

  it('wait while another process creates the file', async () => {
    const script = `
      const db = require('better-sqlite3')(${JSON.stringify(file)});
      db.exec('begin immediate; create table other (id text)');
      console.log('locked');
      setTimeout(() => db.exec('drop table other; commit'), 600);`;
    const other = startChild(['-e', script], {});
    await eventually(() => expect(other.stdout()).toContain('locked'));
    expect((await migrateFileToLatest(file, migrations)).ran).toEqual(names);
    expect((await other.ended).code).toBe(0);
  });

  it('wait while another process holds the write lock', async () => {
    await migrateFileToLatest(file, migrations);
    const other = openSqlite(file);
    other.exec('begin immediate');
    const migrated = migrateFileToLatest(file, { ...migrations, '9999-later': later });
    await sleep(800);
    other.exec('commit');
    other.close();
    expect((await migrated).ran).toEqual(['9999-later']);
  });

  it('change nothing when one of them fails half-way', async () => {
    const broken: Migration = {
      async up(db) {
        await db.schema.createTable('half').addColumn('id', 'text').execute();
        throw new Error('half-way');
      },
    };
    await expect(
      migrateFileToLatest(file, { ...migrations, '9998-later': later, '9999-broken': broken }),
    ).rejects.toThrow('half-way');
    expect(await readSchema(file)).toEqual([]);
    expect((await migrateFileToLatest(file, migrations)).ran).toEqual(names);
  });

  it('change nothing when the process is killed half-way', async () => {
    const script = `
      const db = require('better-sqlite3')(${JSON.stringify(file)});
      db.pragma('journal_mode = WAL');
      db.exec('begin immediate; create table half (id text)');
      process.kill(process.pid, 'SIGKILL');`;
    expect((await startChild(['-e', script], {}).ended).signal).toBe('SIGKILL');
    expect((await migrateFileToLatest(file, migrations)).ran).toEqual(names);
    expect((await readSchema(file)).join()).not.toContain('half');
  });

  it('refuse a database of a newer release, and change nothing', async () => {
    await migrateFileToLatest(file, { ...migrations, '9999-later': later });
    const schema = await readSchema(file);
    await expect(migrateFileToLatest(file, migrations)).rejects.toThrow(NewerSchemaError);
    await expect(migrateFileDown(file, migrations)).rejects.toThrow(/9999-later.*newer release/s);
    expect(await readSchema(file)).toEqual(schema);
  });

  it('back up the database first', async () => {
    await migrateFileToLatest(file, migrations);
    const schema = await readSchema(file);
    const { ran, backup } = await migrateFileToLatest(file, { ...migrations, '9999-later': later });
    expect(ran).toEqual(['9999-later']);
    expect(await readSchema(backup ?? '')).toEqual(schema);
    expect(await readSchema(file)).toHaveLength(schema.length + 1);
  });
});

describe('a backup', () => {
  it('is consistent during concurrent writes', async () => {
    await migrateFileToLatest(file, migrations);
    const target = join(folder, 'copies', 'backup.db');
    mkdirSync(dirname(target));
    const backing = runTool('backup', target);
    let over = false;
    const ended = backing.finally(() => {
      over = true;
    });
    const written = await inDatabase(file, async (db) => {
      let pairs = 0;
      while (!over || pairs < 50) {
        await db.transaction().execute(async (trx) => {
          for (const half of ['a', 'b']) {
            await trx
              .insertInto('settings')
              .values({ key: `${half}-${newId()}`, value: String(pairs), description: null, updated_at: '' })
              .execute();
          }
        });
        pairs += 1;
        // Reads are synchronous: without a pause this process would not see the other one exit.
        await yieldToEventLoop();
      }
      return pairs;
    });
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    expect(await integrity(target)).toEqual([{ integrity_check: 'ok' }]);
    const values = await inDatabase(target, (db) => db.selectFrom('settings').select('value').execute());
    const halves = new Map<string, number>();
    for (const { value } of values) halves.set(value, (halves.get(value) ?? 0) + 1);
    expect(new Set(halves.values()).size).toBeLessThanOrEqual(1);
    expect(halves.size).toBeLessThanOrEqual(written);
  });

  it('never overwrites a file', async () => {
    await migrateFileToLatest(file, migrations);
    const answer = await runTool('backup', file);
    expect(answer).toMatchObject({ code: 2, stdout: '' });
    expect(answer.stderr).toContain('exists already');
    expect(existsSync(file)).toBe(true);
  });
});
