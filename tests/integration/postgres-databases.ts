import pg from 'pg';
import { inject } from 'vitest';
import { migrateToLatest } from '#shared/database/migrator.server';
import { migrations } from '../../migrations/all-migrations';

/** The migrated database that all others are made from. */
const TEMPLATE = 'template_of_tests';
const LOCK_TIMEOUT_MS = 5_000;

/**
 * Empties a database and fills it with the rows of the migrations; refuses one whose columns or triggers a test has changed.
 * Foreign keys and triggers do not apply to the role `replica` (postgresql.org/docs/current/runtime-config-client.html,
 * session_replication_role). Rows are deleted, except of a large table: TRUNCATE makes new files of each table and index, and
 * of all tables takes seven times the processor time. The lock waits for a transaction that a test has left open.
 */
const RESET = `
  create schema migrated;
  create function migrated.describe() returns text language sql as $$
    select string_agg(line, ',' order by line) from (
      select format('%s.%s', attrelid::regclass, attname) as line from pg_attribute
        join pg_class on pg_class.oid = attrelid
        where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0
      union all select format('%s on %s', tgname, tgrelid::regclass) from pg_trigger where not tgisinternal
    ) as lines $$;
  do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('create table migrated.%I as table public.%I', name, name);
    end loop;
  end $$;
  create table migrated.description as select migrated.describe() as text;
  create function migrated.reset() returns void language plpgsql as $$
    declare name text; names text;
    begin
      if migrated.describe() is distinct from (select text from migrated.description) then
        raise exception 'a test has changed the tables';
      end if;
      set local session_replication_role = replica;
      select string_agg(format('public.%I', tablename), ', ') into names
        from pg_tables where schemaname = 'public';
      execute 'lock table ' || names || ' in access exclusive mode';
      for name in select tablename from pg_tables where schemaname = 'public' loop
        execute format(
          case when pg_relation_size(format('public.%I', name)) > 131072
            then 'truncate public.%I cascade' else 'delete from public.%I' end, name);
      end loop;
      for name in select tablename from pg_tables where schemaname = 'migrated' and tablename <> 'description' loop
        execute format('insert into public.%I select * from migrated.%I', name, name);
      end loop;
    end $$;`;

async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

const urlOf = (server: string, name: string): string => new URL(`/${name}`, server).href;

/** Migrates the template on a server, whose own database `server` names. */
export async function createTemplate(server: string): Promise<void> {
  await run(server, `create database ${TEMPLATE}`);
  const url = urlOf(server, TEMPLATE);
  await migrateToLatest({ engine: 'postgres', url }, migrations);
  await run(url, RESET);
}

/** Databases of this worker that no test uses. */
const free: string[] = [];
let made = 0;

/** Lends a migrated database: one that an earlier test has given back, or a new one. */
export async function lendDatabase(): Promise<{ url: string; giveBack(): Promise<void> }> {
  const server = inject('postgresUrl');
  let name = free.pop();
  if (name === undefined) {
    made += 1;
    name = `test_${process.pid}_${process.env.VITEST_POOL_ID ?? ''}_${made}`;
    await run(server, `create database ${name} template ${TEMPLATE}`);
  }
  const lent = name;
  const url = urlOf(server, lent);
  return {
    url,
    async giveBack() {
      try {
        await run(url, `set lock_timeout = ${LOCK_TIMEOUT_MS}`, 'select migrated.reset()');
        free.push(lent);
      } catch {
        // A test has changed its tables or left a transaction open.
        await run(server, `drop database ${lent} with (force)`);
      }
    },
  };
}
