import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '#shared/database/connection.server';
import { prepareQuery } from '#shared/database/prepare-query';
import { RELEASE_FILE_LIMIT_BYTES } from '#shared/releases/release';
import { createTestDatabase } from '../database';

let db: Database;
let cleanup: () => Promise<void>;

beforeEach(async () => {
  ({ db, cleanup } = await createTestDatabase());
});
afterEach(() => cleanup());

it('a text with NUL is refused in a sentence when it is to be stored, finds nothing, and is never shortened', async () => {
  const setting = { setting_key: 'note', setting_value: 'before\0after', updated_at: '' };
  const refusal = { kind: 'Invalid', code: 'invalid_text' };
  await expect(db.insertInto('monitor_settings').values(setting).execute()).rejects.toMatchObject(refusal);
  const find = prepareQuery((kysely, { key }: { key: string }) =>
    kysely.selectFrom('monitor_settings').select('setting_value').where('setting_key', '=', key),
  );
  await db
    .insertInto('monitor_settings')
    .values({ ...setting, setting_value: 'before' })
    .execute();
  expect(await find(db, { key: 'note\0' })).toEqual([]);
  expect(await find(db, { key: 'note' })).toEqual([{ setting_value: 'before' }]);
});

it('an empty list finds nothing, and excludes nothing', async () => {
  const all = await db.selectFrom('watches').select('id').execute();
  expect(all.length).toBeGreaterThan(0);
  expect(await db.selectFrom('watches').select('id').where('id', 'in', []).execute()).toEqual([]);
  expect(await db.selectFrom('watches').select('id').where('id', 'not in', []).execute()).toEqual(all);
});

it('counts, sums and comparisons are numbers', async () => {
  const row = await db
    .selectFrom('watches')
    .select((expression) => [
      expression.fn.countAll<number>().as('count'),
      expression.fn.sum<number>('interval_seconds').as('sum'),
    ])
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ count: 1, sum: 60 });
  const compared = db
    .selectFrom('watches')
    .select((expression) => [
      expression('interval_seconds', '>', 0).as('yes'),
      expression('interval_seconds', '<', 0).as('no'),
    ]);
  expect(await compared.execute()).toEqual([{ yes: 1, no: 0 }]);
});

it('a release file of 2 GB has its size', async () => {
  const upload = {
    id: 'upload',
    kind: 'resumable',
    version: '1.0.0',
    platform: 'linux',
    original_name: 'app.AppImage',
    file_size: RELEASE_FILE_LIMIT_BYTES,
    fields: '{}',
    created_at: '',
    received_at: '',
  } as const;
  await db.insertInto('release_uploads').values(upload).execute();
  expect(await db.selectFrom('release_uploads').select('file_size').execute()).toEqual([
    { file_size: RELEASE_FILE_LIMIT_BYTES },
  ]);
});
