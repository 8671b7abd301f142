import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabase, type Database } from '#shared/database/connection.server';
import type { DatabaseConfig } from '#shared/database-config';
import { inTransaction } from '#shared/database/transaction';

/** Whether the tests run on PostgreSQL: what only SQLite has is skipped then, with a reason. */
export const usesPostgres = (): boolean => inject('postgresUrl') !== '';

/**
 * Makes the database refuse a kind of write to each row, such as `insert on media`, with the error `refused`. `when`: a
 * condition on `old` and `new`. Returns a function that allows it again.
 */
export async function refuseWrites(
  db: Database,
  write: `${'insert' | 'update' | 'delete'} on ${string}`,
  when = 'true',
): Promise<() => Promise<void>> {
  const table = write.split(' ').at(-1) ?? '';
  if (!usesPostgres()) {
    await sql
      .raw(`create trigger refusing before ${write} when ${when} begin select raise(abort, 'refused'); end`)
      .execute(db);
    return async () => void (await sql`drop trigger refusing`.execute(db));
  }
  await sql
    .raw(
      `create function refuse() returns trigger language plpgsql as $$ begin
        if ${when} then raise exception 'refused'; end if; return coalesce(new, old); end $$;
      create trigger refusing before ${write} for each row execute function refuse()`,
    )
    .execute(db);
  return async () =>
    void (await sql.raw(`drop trigger refusing on ${table}; drop function refuse()`).execute(db));
}

/** Holds the write lock, as another process does. Returns a function that releases it. */
export async function lockDatabase(config: DatabaseConfig): Promise<() => Promise<void>> {
  const other = openDatabase(config);
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let held = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    held = inTransaction(other, async (trx) => {
      // Longer than the server lets a transaction rest.
      if (usesPostgres()) await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      resolve();
      await released;
    });
    held.catch(reject);
  });
  return async () => {
    release();
    await held;
    await other.destroy();
  };
}

/**
 * Makes every write of these connections fail, as on a full disk or a standby, or succeed again. On PostgreSQL the
 * connections are replaced, so a query that runs at that time fails.
 */
export async function setReadOnly(db: Database, isReadOnly: boolean): Promise<void> {
  const setting = isReadOnly ? 'on' : 'off';
  if (!usesPostgres()) {
    await sql.raw(`pragma query_only = ${setting}`).execute(db);
    return;
  }
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const name = rows[0]?.name ?? '';
  const server = new pg.Client(inject('postgresUrl'));
  await server.connect();
  await server.query(`alter database ${name} set default_transaction_read_only = ${setting}`);
  await server.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1`, [
    name,
  ]);
  await server.end();
}

/** Everything that is stored, as text: the bytes of the SQLite file, or the rows of all tables. */
export async function readStored(db: Database): Promise<string> {
  if (!usesPostgres()) {
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
    const { rows } = await sql<{ file: string }>`pragma database_list`.execute(db);
    return readFileSync(rows[0]?.file ?? '', 'latin1');
  }
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  const texts: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} as t`.execute(
      db,
    );
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}
