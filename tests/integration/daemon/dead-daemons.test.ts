import { Kysely, PostgresAdapter, SqliteDialect } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import Sqlite from 'better-sqlite3';
import { openDatabase, type Database } from '#shared/database/connection.server';
import type { Schema } from '#shared/database/schema';
import { newId } from '#shared/ids';
import { listDeadDaemons, writeHeartbeat, type DaemonInstance } from '#shared/monitor/heartbeat';
import { readProcessPlace } from '#shared/process/process-place.server';
import { createTestDatabase, type TestDatabase } from '../database';
import { usesPostgres } from '../database-faults';

/** Reads the tables of a test database as those of an engine that several machines may use. */
class SharedDialect extends SqliteDialect {
  override createAdapter(): PostgresAdapter {
    return new PostgresAdapter();
  }
}

/** No process has it: Linux allows at most 2^22 (proc(5)). */
const UNUSED_PID = 2 ** 30;
const HERE: DaemonInstance = {
  id: 'self',
  host: 'packwatch',
  bootId: 'boot-a',
  pidNamespace: 'pid:[1]',
  pid: process.pid,
  startedAt: 0,
};

let database: TestDatabase;
let shared: Database;

beforeEach(async () => {
  database = await createTestDatabase();
  shared = usesPostgres()
    ? openDatabase(database.config)
    : new Kysely<Schema>({ dialect: new SharedDialect({ database: new Sqlite(database.file) }) });
});

afterEach(async () => {
  await shared.destroy();
  await database.cleanup();
});

/** Whether a daemon that wrote a heartbeat from this place is listed as dead. */
async function isListed(db: Database, other: Partial<DaemonInstance>): Promise<boolean> {
  const instance = { ...HERE, id: newId(), ...other };
  await writeHeartbeat(database.db, { instance, redisFault: null, now: Date.now() });
  return (await listDeadDaemons(db, HERE)).includes(instance.id);
}

const OLD_RELEASE = { bootId: null, pidNamespace: null };

describe('where several machines use the database, a daemon on another machine is never listed', () => {
  test.each<[string, Partial<DaemonInstance>]>([
    ['another machine of the same name, with our pid', { bootId: 'boot-b' }],
    [
      'another machine of the same name, with a pid that is unused here',
      { bootId: 'boot-b', pid: UNUSED_PID },
    ],
    ['another container of the same machine and name, with our pid', { pidNamespace: 'pid:[2]' }],
    ['a system without a boot id', { ...OLD_RELEASE, pid: UNUSED_PID }],
  ])('%s', async (_name, other) => {
    expect(await isListed(shared, other)).toBe(false);
  });

  test('a daemon without a process here is listed, whatever its host is called', async () => {
    expect(await isListed(shared, { pid: UNUSED_PID, host: 'renamed' })).toBe(true);
    expect(await isListed(shared, { pid: process.ppid })).toBe(false);
  });

  test('no daemon is listed if the caller cannot identify its own machine', async () => {
    await isListed(shared, { ...OLD_RELEASE, pid: UNUSED_PID });
    expect(await listDeadDaemons(shared, { ...HERE, ...OLD_RELEASE })).toEqual([]);
  });
});

// SQLite's file.
describe.skipIf(usesPostgres())('where one machine has the database', () => {
  test.each<[string, Partial<DaemonInstance>, boolean]>([
    ['a heartbeat of an earlier release without a process', { ...OLD_RELEASE, pid: UNUSED_PID }, true],
    ['a heartbeat of an earlier release, from a container of the same pid', OLD_RELEASE, true],
    ['a heartbeat of an earlier release whose process runs', { ...OLD_RELEASE, pid: process.ppid }, false],
    ['the last life of this container', { pidNamespace: 'pid:[2]' }, true],
    [
      'the last life of this machine, whose pid another process has now',
      { bootId: 'b', pid: process.ppid },
      true,
    ],
    ['a daemon that runs beside this one', { pid: process.ppid }, false],
    ['a container of another name', { host: 'other', pidNamespace: 'pid:[2]', pid: UNUSED_PID }, false],
  ])('%s', async (_name, other, listed) => {
    expect(await isListed(database.db, other)).toBe(listed);
  });
});

test('the place of a process is known on Linux', () => {
  const place = readProcessPlace();
  expect(place.host).not.toBe('');
  if (process.platform !== 'linux') return;
  expect(place.bootId).toMatch(/^[\da-f-]{36}$/);
  expect(place.pidNamespace).toMatch(/^pid:\[\d+\]$/);
});
