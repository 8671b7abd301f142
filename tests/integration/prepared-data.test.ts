import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '#shared/clock';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { setNewsEnabled } from '#shared/settings/write-settings';
import { createPreparedData, type PreparedData } from '~/http/page-cache/prepared-data.server';
import { createTestDatabase, type TestDatabase } from './database';

let database: TestDatabase;
/** Another process's connection to the same file. */
let elsewhere: Database;
let prepared: PreparedData;

beforeEach(async () => {
  database = await createTestDatabase();
  elsewhere = openDatabase(database.file);
  prepared = createPreparedData(database.db);
});

afterEach(async () => {
  await elsewhere.destroy();
  await database.cleanup();
});

const save = (db: Database) =>
  setNewsEnabled(db, { enabled: true, actor: { userId: null }, clock: systemClock });

test('data are made once, until a change anywhere', async () => {
  let made = 0;
  const read = () => prepared.get('page', () => Promise.resolve({ made: (made += 1) }));
  expect([await read(), await read()]).toEqual([{ made: 1 }, { made: 1 }]);
  await save(elsewhere);
  expect([await read(), await read()]).toEqual([{ made: 2 }, { made: 2 }]);
});

test('a change while they are made makes them anew for the next', async () => {
  const first = await prepared.get('page', async () => {
    await save(elsewhere);
    return { made: 'early' };
  });
  expect(first).toEqual({ made: 'early' });
  expect(await prepared.get('page', () => Promise.resolve({ made: 'late' }))).toEqual({ made: 'late' });
});

test('each name has data of its own', async () => {
  await prepared.get('page 1', () => Promise.resolve({ page: 1 }));
  expect(await prepared.get('page 2', () => Promise.resolve({ page: 2 }))).toEqual({ page: 2 });
});

test('what could not be made is tried again', async () => {
  const prepare = vi
    .fn<() => Promise<object>>()
    .mockRejectedValueOnce(new Error('busy'))
    .mockResolvedValueOnce({ made: true });
  await expect(prepared.get('page', prepare)).rejects.toThrow('busy');
  expect(await prepared.get('page', prepare)).toEqual({ made: true });
});
