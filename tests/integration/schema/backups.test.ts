import Sqlite from 'better-sqlite3';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyDatabase } from '#shared/database/sqlite/copy-database.server';
import { migrateFileToLatest } from '#shared/database/sqlite/migrator.server';
import { migrations } from '../../../migrations/all-migrations';
import { databaseFile } from '../database-file';
import { startChild } from '../child-process';

const MEGABYTE = 1024 ** 2;
const file = databaseFile();

/** Fills the database with some megabytes. */
function fill(megabytes: number): void {
  const sqlite = new Sqlite(file.path);
  sqlite.exec(
    `create table noise (bytes blob); with recursive n(i) as (select 1 union all select i + 1 from n where i < ${megabytes * 16})
     insert into noise select randomblob(65000) from n`,
  );
  sqlite.close();
}

/** A step of a later release. */
const later = (name: string) => ({ ...migrations, [name]: { up: () => Promise.resolve() } });

describe('a copy of the database', () => {
  it('that is stopped or damaged leaves nothing, and what a killed process left is removed by the next one', async () => {
    await migrateFileToLatest(file.path, migrations);
    fill(24);
    const folder = join(file.folder, 'copies');
    mkdirSync(folder);
    const ended = startChild(['-e', ''], {});
    await ended.ended;
    writeFileSync(join(folder, `killed.db.${ended.pid}.partial`), 'half');
    writeFileSync(join(folder, `running.db.${process.ppid}.partial`), 'half');

    const stop = new AbortController();
    const copying = copyDatabase(file.path, join(folder, 'copy.db'), { signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(copying).rejects.toThrow('stopped');
    expect(readdirSync(folder)).toEqual([`running.db.${process.ppid}.partial`]);

    const sqlite = new Sqlite(file.path);
    sqlite.exec('create table mended (id text unique)');
    sqlite.exec("insert into mended values ('a'), ('b')");
    // An index that lacks a row.
    sqlite.unsafeMode(true);
    sqlite.pragma('writable_schema = ON');
    sqlite.exec(
      "update sqlite_master set sql = 'create table mended (id text unique not null)' where name = 'mended'",
    );
    sqlite.exec('create table twin (id text unique)');
    sqlite.exec(
      "update sqlite_master set rootpage = (select rootpage from sqlite_master where name = 'mended') where name = 'twin'",
    );
    sqlite.close();
    await expect(copyDatabase(file.path, join(folder, 'copy.db'))).rejects.toMatchObject({
      code: 'copy_damaged',
    });
    expect(readdirSync(folder)).toEqual([`running.db.${process.ppid}.partial`]);
  });
});

describe('the copy before a migration', () => {
  it('makes room first, and is refused in words before anything else when it does not fit', async () => {
    await migrateFileToLatest(file.path, migrations);
    fill(4);
    const backups = join(file.folder, 'backups');
    const names = ['a', 'b', 'c'].map((name) => `packwatch.db.before-migration.${name}`);
    mkdirSync(backups);
    for (const name of names) writeFileSync(join(backups, name), Buffer.alloc(4 * MEGABYTE));

    // Not even without the older copies: they stay.
    const refused = migrateFileToLatest(file.path, later('9999-later'), { readFreeBytes: () => MEGABYTE });
    await expect(refused).rejects.toMatchObject({ kind: 'Unavailable', code: 'disk_full' });
    await expect(refused).rejects.toThrow(
      /^The copy .* needs \d+ MB in .*, and \d+ MB of that are missing\. Nothing was changed\./,
    );
    expect(readdirSync(backups)).toEqual(names.slice(1));

    // As much as fits once the oldest is gone.
    const { ran, backup } = await migrateFileToLatest(file.path, later('9999-later'), {
      readFreeBytes: () => 18 * MEGABYTE + (existsSync(join(backups, names[1] ?? '')) ? 0 : 4 * MEGABYTE),
    });
    expect(ran).toEqual(['9999-later']);
    expect(readdirSync(backups)).toHaveLength(2);
    expect(existsSync(join(backups, names[1] ?? ''))).toBe(false);
    expect(existsSync(backup ?? '')).toBe(true);
  });
});
