import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '#shared/clock';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { SETTING_KEY } from '#shared/settings/read-settings';
import { writeSetting } from '#shared/settings/write-settings';
import { createLoaderCache, type LoaderCache } from '~/http/server/loader-cache.server';
import { createPageVersions } from '~/http/server/page-versions.server';
import { createTestDatabase, type TestDatabase } from '../database';

let database: TestDatabase;
/** A second connection to the same database, as of another process. */
let elsewhere: Database;
let cache: LoaderCache;

beforeEach(async () => {
  database = await createTestDatabase();
  elsewhere = openDatabase(database.config);
  cache = createLoaderCache(createPageVersions(database.db, systemClock));
});

afterEach(async () => {
  await elsewhere.destroy();
  await database.cleanup();
});

const save = (db: Database) =>
  writeSetting(db, {
    key: SETTING_KEY.newsEnabled,
    value: 'true',
    actor: { userId: null },
    clock: systemClock,
  });

test('data is loaded once until the content changes in any process', async () => {
  let made = 0;
  const read = () => cache.get('page', () => Promise.resolve({ made: (made += 1) }));
  expect([await read(), await read()]).toEqual([{ made: 1 }, { made: 1 }]);
  await save(elsewhere);
  expect([await read(), await read()]).toEqual([{ made: 2 }, { made: 2 }]);
});

test('after a change during a load the next call loads again', async () => {
  const first = await cache.get('page', async () => {
    await save(elsewhere);
    return { made: 'early' };
  });
  expect(first).toEqual({ made: 'early' });
  expect(await cache.get('page', () => Promise.resolve({ made: 'late' }))).toEqual({ made: 'late' });
});

test('concurrent calls load once', async () => {
  const load = vi.fn(() => Promise.resolve({ made: true }));
  const both = await Promise.all([cache.get('page', load), cache.get('page', load)]);
  expect(both).toEqual([{ made: true }, { made: true }]);
  expect(load).toHaveBeenCalledOnce();
});

test('each name has its own data', async () => {
  await cache.get('page 1', () => Promise.resolve({ page: 1 }));
  expect(await cache.get('page 2', () => Promise.resolve({ page: 2 }))).toEqual({ page: 2 });
});

test('a failed load is retried', async () => {
  const load = vi
    .fn<() => Promise<object>>()
    .mockRejectedValueOnce(new Error('busy'))
    .mockResolvedValueOnce({ made: true });
  await expect(cache.get('page', load)).rejects.toThrow('busy');
  expect(await cache.get('page', load)).toEqual({ made: true });
});
