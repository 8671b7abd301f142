import type { Database } from '#shared/database/connection.server';
import { prepareQuery } from '#shared/database/prepare-query';
import type { Transaction } from '#shared/database/schema';
import { inTransaction } from '#shared/database/transaction';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase } from '../database';

let db: Database;
let cleanup: () => Promise<void>;

beforeEach(async () => {
  ({ db, cleanup } = await createTestDatabase());
});
afterEach(() => cleanup());

describe('a prepared query', () => {
  it('is built once and binds the fields of each input', async () => {
    const build = vi.fn((kysely: Database, { key, value }: { key: string; value: string | null }) =>
      kysely.selectNoFrom([sql<string>`${key}`.as('key'), sql<string | null>`${value}`.as('value')]),
    );
    const select = prepareQuery(build);
    expect(await select(db, { key: 'one', value: 'first' })).toEqual([{ key: 'one', value: 'first' }]);
    expect(await select(db, { value: null, key: 'two' })).toEqual([{ key: 'two', value: null }]);
    expect(build).toHaveBeenCalledTimes(1);
  });

  it('refuses to compute with its input, because a later input would not be computed with', async () => {
    const select = prepareQuery((kysely, { length }: { length: number }) =>
      kysely.selectNoFrom(sql<number>`${length * 2}`.as('twice')),
    );
    await expect(select(db, { length: 1 })).rejects.toThrow('"length" unchanged');
  });

  it('belongs to its transaction, and is refused after its end', async () => {
    const insert = prepareQuery((kysely, row: { key: string; value: string; updated_at: string }) =>
      kysely.insertInto('settings').values(row),
    );
    const row = { key: 'prepared', value: 'x', updated_at: '2026-11-27T00:00:00.000Z' };
    const ended: Transaction[] = [];
    const failing = inTransaction(db, async (trx) => {
      ended.push(trx);
      await insert(trx, row);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    for (const trx of ended) await expect(insert(trx, row)).rejects.toThrow('already');
    expect(await db.selectFrom('settings').select('key').where('key', '=', row.key).execute()).toEqual([]);
  });
});
