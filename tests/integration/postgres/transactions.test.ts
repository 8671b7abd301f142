import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { describeDatabaseFault, isBusy, isConstraintError } from '#shared/database/database-errors';
import { openPostgresDatabase } from '#shared/database/postgres/postgres-database.server';
import { prepareQuery } from '#shared/database/prepare-query';
import type { Scope } from '#shared/database/scope';
import { inTransaction } from '#shared/database/transaction';
import { startCommitCutter, type CommitCutter } from './commit-cutter';
import { createTestDatabase, type TestDatabase } from '../database';

let test: TestDatabase;
let url: string;
/** Another process on another line, which can be cut. */
let other: Database;
let line: CommitCutter;
let otherUrl: string;

beforeEach(async () => {
  test = await createTestDatabase();
  if (test.config.engine !== 'postgres') throw new Error('this test needs PostgreSQL');
  ({ url } = test.config);
  line = await startCommitCutter(Number(new URL(url).port));
  const address = new URL(url);
  address.port = String(line.port);
  otherUrl = address.href;
  other = openDatabase({ engine: 'postgres', url: otherUrl });
  await test.db
    .insertInto('monitor_settings')
    .values({ setting_key: 'count', setting_value: '0', updated_at: '' })
    .execute();
});
afterEach(async () => {
  line.hold(false);
  await other.destroy();
  await line.close();
  await test.cleanup();
});

/** Reads, thinks and writes, as rules do. */
const increment = (db: Database, attempts: { count: number } = { count: 0 }) =>
  inTransaction(db, async (trx) => {
    attempts.count += 1;
    const { setting_value: value } = await trx
      .selectFrom('monitor_settings')
      .select('setting_value')
      .where('setting_key', '=', 'count')
      .executeTakeFirstOrThrow();
    await trx
      .updateTable('monitor_settings')
      .set({ setting_value: String(Number(value) + 1) })
      .where('setting_key', '=', 'count')
      .execute();
  });

const readCount = async () =>
  (
    await test.db
      .selectFrom('monitor_settings')
      .select('setting_value')
      .where('setting_key', '=', 'count')
      .executeTakeFirstOrThrow()
  ).setting_value;

/** Ends the other sessions of this database, as a restart of the server does (57P01). */
const endSessions = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(test.db);

describe('a transaction', () => {
  it('sees what others have committed before it: of many increments at two processes none is lost', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, index) => increment(index % 2 === 0 ? test.db : other)));
    expect(await readCount()).toBe('40');
  });

  it('whose commit never reaches the server is done again, once', async () => {
    line.cutNext('before');
    const attempts = { count: 0 };
    await increment(other, attempts);
    expect([attempts.count, await readCount()]).toEqual([2, '1']);
  });

  it('whose commit holds, but whose answer is lost, is not done again', async () => {
    line.cutNext('after');
    const attempts = { count: 0 };
    await increment(other, attempts);
    expect([attempts.count, await readCount()]).toEqual([1, '1']);
  });

  it('that the server ends half-way is done again, and the process lives', async () => {
    let ended = false;
    await inTransaction(other, async (trx) => {
      await trx.updateTable('monitor_settings').set({ setting_value: '7' }).execute();
      if (!ended) await endSessions();
      ended = true;
      await trx.updateTable('monitor_settings').set({ updated_at: 'then' }).execute();
    });
    expect(await readCount()).toBe('7');
  });

  it('rolls back with the error of its work, also when the connection is lost', async () => {
    const fault = new Error('the rule refuses');
    const work = inTransaction(other, async (trx) => {
      await trx.updateTable('monitor_settings').set({ setting_value: '7' }).execute();
      await endSessions();
      throw fault;
    });
    await expect(work).rejects.toBe(fault);
    expect(await readCount()).toBe('0');
  });

  it('waits for the lock no longer than its caller, and says that the database is locked', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let entered = () => {};
    const inside = new Promise<void>((resolve) => (entered = resolve));
    const holder = inTransaction(test.db, async () => {
      entered();
      await released;
    });
    await inside;
    const error: unknown = await inTransaction(other, () => Promise.resolve(), undefined, {
      giveUpAfterMs: 50,
    }).catch((fault: unknown) => fault);
    release();
    await holder;
    expect(isBusy(error)).toBe(true);
    expect(describeDatabaseFault(error)).toBe('The database is locked by another process (55P03).');
    await increment(other);
    expect(await readCount()).toBe('1');
  });
});

describe('a transaction with a scope, whose first query is sent behind its beginning', () => {
  const scope: Scope = { account: 'one' };
  const read = (db: Database) => db.selectFrom('monitor_settings').selectAll().execute();

  it('waits for its lock as long as its caller says, and leaves no transaction behind', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let holding = () => {};
    const held = new Promise<void>((resolve) => (holding = resolve));
    const holder = inTransaction(
      test.db,
      async (trx) => {
        await read(trx);
        holding();
        await released;
      },
      scope,
    );
    await held;
    const one = openPostgresDatabase(url, { maxConnections: 1 });
    let caught: unknown;
    const error: unknown = await inTransaction(
      one,
      async (trx) => {
        caught = await read(trx).catch((fault: unknown) => fault);
        return read(trx);
      },
      scope,
      { giveUpAfterMs: 50 },
    ).catch((fault: unknown) => fault);
    expect([isBusy(caught), isBusy(error)]).toEqual([true, true]);
    release();
    await holder;
    await expect(inTransaction(one, read, scope)).resolves.toHaveLength(1);
    await one.destroy();
  });

  it('fails with the fault of its beginning when it has no query', async () => {
    const one = openPostgresDatabase(url, { maxConnections: 1 });
    await inTransaction(one, () => Promise.resolve(), scope);
    const busy = inTransaction(test.db, async (trx) => {
      await read(trx);
      const fault: unknown = await inTransaction(one, () => Promise.resolve(), scope, {
        giveUpAfterMs: 50,
      }).catch((error: unknown) => error);
      expect(isBusy(fault)).toBe(true);
    });
    await busy;
    await one.destroy();
  });

  it('is done again when its connection is lost at the beginning', async () => {
    await read(other);
    await endSessions();
    await inTransaction(
      other,
      (trx) => trx.updateTable('monitor_settings').set({ setting_value: '7' }).execute(),
      scope,
    );
    expect(await readCount()).toBe('7');
  });
});

describe('transactions with a scope', () => {
  /** Begins a transaction that ends with `end()`. Resolves when it holds its locks. */
  async function hold(scope?: Scope): Promise<{ end(): Promise<void> }> {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let holding: Promise<void> | null = null;
    await new Promise<void>((resolve) => {
      holding = inTransaction(
        test.db,
        async (trx) => {
          // A transaction with a scope takes its locks with its first statement.
          await sql`select 1`.execute(trx);
          resolve();
          await released;
        },
        scope,
      );
    });
    return {
      end() {
        release();
        return holding ?? Promise.resolve();
      },
    };
  }
  /** Whether a transaction of another process has to wait. */
  const waits = (scope?: Scope): Promise<boolean> =>
    inTransaction(other, () => Promise.resolve(false), scope, { giveUpAfterMs: 1 }).catch(
      (error: unknown) => {
        if (isBusy(error)) return true;
        throw error;
      },
    );
  const scopes: Record<string, Scope | undefined> = {
    'no scope': undefined,
    'a statement': 'statement',
    'the account': { account: 'one' },
    'another account': { account: 'other' },
    'the watch': { watch: 'one' },
  };

  it.each([
    ['no scope', ['no scope', 'a statement', 'the account', 'another account', 'the watch']],
    ['a statement', ['no scope']],
    ['the account', ['no scope', 'the account']],
    ['the watch', ['no scope', 'the watch']],
  ])('beside %s, these wait: %j', async (held, waiting) => {
    const holder = await hold(scopes[held]);
    const found: string[] = [];
    for (const [name, scope] of Object.entries(scopes)) if (await waits(scope)) found.push(name);
    await holder.end();
    expect(found).toEqual(waiting);
    for (const scope of Object.values(scopes)) expect(await waits(scope)).toBe(false);
  });

  it('are joined by work of the same scope alone', async () => {
    const join = (scope?: Scope) =>
      inTransaction(test.db, (trx) => inTransaction(trx, () => Promise.resolve('done'), scope), {
        account: 'one',
      });
    expect(await join({ account: 'one' })).toBe('done');
    await expect(join({ account: 'other' })).rejects.toThrow('cannot do work of {"account":"other"}');
    await expect(join()).rejects.toThrow('cannot do work');
  });
});

describe('a query', () => {
  it('that is prepared has a name on its connection, and none with ?statements=unnamed', async () => {
    const find = prepareQuery((db, { id }: { id: string }) =>
      db.selectFrom('watches').select('id').where('id', '=', id),
    );
    const countNames = async (address: string) => {
      const db = openPostgresDatabase(address, { maxConnections: 1 });
      for (let repeated = 0; repeated < 2; repeated += 1) expect(await find(db, { id: 'none' })).toEqual([]);
      const { rows } = await sql<{
        count: number;
      }>`select count(*) as count from pg_prepared_statements`.execute(db);
      await db.destroy();
      return rows[0]?.count;
    };
    expect(await countNames(url)).toBe(1);
    expect(await countNames(`${url}?statements=unnamed&keepalives=1`)).toBe(0);
  });

  it('that is prepared is answered after a migration has added a column, alone and in a transaction', async () => {
    const find = prepareQuery((db, { key }: { key: string }) =>
      db.selectFrom('monitor_settings').selectAll().where('setting_key', '=', key),
    );
    // An earlier release, whose connections have planned the query.
    const older = [1, 2, 3].map(() => openPostgresDatabase(url, { maxConnections: 1 }));
    const findAll = () => Promise.all(older.map((db) => find(db, { key: 'count' })));
    await findAll();
    await test.db.schema.alterTable('monitor_settings').addColumn('note', 'text').execute();
    const [alone, inside, after] = older as [Database, Database, Database];
    const row = { setting_value: '0', note: null };
    expect(await find(alone, { key: 'count' })).toMatchObject([row]);
    expect(await inTransaction(inside, (trx) => find(trx, { key: 'count' }))).toMatchObject([row]);
    await increment(after);
    expect(await inTransaction(after, (trx) => find(trx, { key: 'count' }), 'statement')).toMatchObject([
      { setting_value: '1', note: null },
    ]);
    expect(await findAll()).toHaveLength(3);
    await Promise.all(older.map((db) => db.destroy()));
  });

  it('works again after the server has ended idle connections, and the process lives', async () => {
    await other.selectFrom('watches').select('id').execute();
    await endSessions();
    await expect.poll(() => other.selectFrom('watches').select('id').execute().catch(isBusy)).toHaveLength(1);
  });

  it('fails in time when the server does not answer, and its connection is not used again', async () => {
    const hasty = openPostgresDatabase(otherUrl, { maxConnections: 1, queryTimeoutMs: 200 });
    await hasty.selectFrom('watches').select('id').execute();
    line.hold(true);
    const error: unknown = await hasty
      .selectFrom('watches')
      .select('id')
      .execute()
      .catch((fault: unknown) => fault);
    expect(isBusy(error)).toBe(true);
    expect(describeDatabaseFault(error)).toBe('The database server does not answer (Query read timeout).');
    line.hold(false);
    expect(await hasty.selectFrom('watches').select('id').execute()).toHaveLength(1);
    await hasty.destroy();
  });

  it('that breaks a constraint says so without the values of the row, which the log would show', async () => {
    const setting = { setting_key: 'someone@packwatch.example', setting_value: '', updated_at: '' };
    const add = () => other.insertInto('monitor_settings').values(setting).execute();
    await add();
    const error: unknown = await add().catch((fault: unknown) => fault);
    expect(isConstraintError(error)).toBe(true);
    expect(JSON.stringify({ ...(error as Error), text: String(error) })).not.toContain('someone@');
  });

  it('says what is wrong when no database or no server is there', async () => {
    const faultAt = async (address: string) => {
      const db = openPostgresDatabase(address);
      const error: unknown = await db
        .selectFrom('watches')
        .select('id')
        .execute()
        .catch((fault: unknown) => fault);
      await db.destroy();
      return describeDatabaseFault(error);
    };
    const missing = new URL(url);
    missing.pathname = '/nowhere';
    expect(await faultAt(missing.href)).toBe(
      'The database server has no database of the name in DATABASE_URL: create it (3D000).',
    );
    missing.port = '9';
    expect(await faultAt(missing.href)).toBe(
      'The database server does not answer (connect ECONNREFUSED 127.0.0.1:9).',
    );
  });
});
