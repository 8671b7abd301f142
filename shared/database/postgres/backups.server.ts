import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { DomainError } from '../../errors';
import { decodeEscapes } from '../../text';
import { compareDatabases, type TableChange } from '../compare-databases';
import { requireOurMigrations, type Restored } from '../restored';
import { readServerNames } from './applied-names.server';
import { migrateServer } from './migrator.server';
import { openPostgresDatabase } from './postgres-database.server';
import { requireUnusedServer } from './require-unused.server';
import { readServerAddress } from './server-address';

/** A program of PostgreSQL's client package, as it runs. */
interface Program {
  input: NodeJS.WritableStream;
  output: NodeJS.ReadableStream;
  /** Resolves at its end. Throws `Unavailable` (`program_missing`, `program_failed`, with what it printed). */
  ended: Promise<void>;
  kill(): void;
}

type Variables = Record<string, string | undefined>;

/** The environment of the programs. */
interface Run {
  /** The variables of the command, with PATH. */
  environment: Variables;
  signal?: AbortSignal | undefined;
}

/** The arguments and variables that lead to a database. Other users see the arguments, so the password is a variable. */
function connectionOf(url: string): { argument: string; variables: Record<string, string> } {
  const address = new URL(readServerAddress(url).address);
  const password = decodeEscapes(address.password);
  address.password = '';
  return {
    argument: `--dbname=${address.href}`,
    variables: password === '' ? {} : { PGPASSWORD: password },
  };
}

function startProgram(name: string, args: readonly string[], environment: Variables): Program {
  const child = spawn(name, args, {
    env: { ...environment, LC_ALL: 'C' } as unknown as NodeJS.ProcessEnv,
    stdio: 'pipe',
  });
  let printed = '';
  child.stderr.on('data', (data: Buffer) => (printed += data.toString('utf8')));
  // A program that has ended reads no more; its exit says why.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(
    ([code]) => {
      if (code === 0) return;
      throw new DomainError('Unavailable', {
        code: 'program_failed',
        message: `${name} failed. Nothing was changed. ${printed.trim()}`,
      });
    },
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      throw new DomainError('Unavailable', {
        code: 'program_missing',
        message: `${name} is not on the PATH. Install PostgreSQL's client programs (Debian: postgresql-client) in the server's version or a later one.`,
      });
    },
  );
  ended.catch(() => undefined);
  return { input: child.stdin, output: child.stdout, ended, kill: () => child.kill('SIGKILL') };
}

/** Runs a program to its end, or until `signal` aborts, and returns what it printed. */
async function run(name: string, args: readonly string[], { environment, signal }: Run): Promise<string> {
  const program = startProgram(name, args, environment);
  signal?.addEventListener('abort', program.kill, { once: true });
  let text = '';
  program.output.on('data', (data: Buffer) => (text += data.toString('utf8')));
  try {
    await program.ended;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', program.kill);
  }
  return text;
}

/** Writes a consistent copy of a live database to a new file, with pg_dump. A failed copy leaves nothing. */
export async function dumpServer(url: string, target: string, { environment, signal }: Run): Promise<void> {
  const partial = `${target}.${process.pid}.partial`;
  try {
    // Readable by its owner only; pg_dump keeps the mode of a file.
    closeSync(openSync(partial, 'wx', 0o600));
    const { argument, variables } = connectionOf(url);
    await run('pg_dump', ['--format=custom', '--schema=public', `--file=${partial}`, argument], {
      environment: { ...environment, ...variables },
      signal,
    });
    await run('pg_restore', ['--list', partial], { environment, signal });
    renameSync(partial, target);
  } finally {
    rmSync(partial, { force: true });
  }
}

/** The names of the migrations in a backup. */
async function readDumpedNames(backup: string, options: Run): Promise<string[]> {
  const args = ['--data-only', '--schema=public', '--table=kysely_migration', '--file=-', backup];
  const text = await run('pg_restore', args, options);
  // The rows follow "COPY … FROM stdin;", a line each, until "\\.".
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith('COPY '));
  if (start === -1) return [];
  const end = lines.indexOf('\\.', start);
  return lines.slice(start + 1, end === -1 ? undefined : end).map((row) => row.split('\t', 1)[0] ?? '');
}

/**
 * Restores into the schema `public` in one transaction, which first renames the schema that is there. Whatever fails, nothing
 * was changed: psql commits at the end of its input only.
 */
async function load(
  url: string,
  { backup, replaced }: { backup: string; replaced: string | null },
  { environment, signal }: Run,
): Promise<void> {
  const { argument, variables } = connectionOf(url);
  const rename =
    replaced === null ? [] : [`alter schema public rename to ${replaced}`, 'create schema public'];
  const psql = startProgram(
    'psql',
    [
      '--no-psqlrc',
      '--quiet',
      '--output=/dev/null',
      '--single-transaction',
      '--set=ON_ERROR_STOP=1',
      ...rename.map((statement) => `--command=${statement}`),
      '--file=-',
      argument,
    ],
    { ...environment, ...variables },
  );
  const restore = startProgram(
    'pg_restore',
    ['--schema=public', '--no-owner', '--no-privileges', '--file=-', backup],
    environment,
  );
  const stop = (): void => {
    psql.kill();
    restore.kill();
  };
  signal?.addEventListener('abort', stop, { once: true });
  restore.output.pipe(psql.input, { end: false });
  try {
    await Promise.race([
      psql.ended.then(() => restore.ended),
      Promise.all([restore.ended, finished(restore.output)]).then(() => void psql.input.end()),
    ]);
    await psql.ended;
  } catch (error) {
    stop();
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

async function compareSchemas(url: string, replaced: string): Promise<TableChange[]> {
  const db = openPostgresDatabase(url, { maxConnections: 1, queryTimeoutMs: 0 });
  try {
    return await compareDatabases({
      restored: 'public',
      replaced,
      async hasTable(schema, table) {
        const { rows } = await sql<{ name: string | null }>`
          select to_regclass(${`${schema}.${table}`})::text as name`.execute(db);
        return rows[0]?.name !== null;
      },
      async readValue(query) {
        const { rows } = await sql<Record<string, unknown>>`${sql.raw(query)}`.execute(db);
        return Object.values(rows[0] ?? {})[0];
      },
    });
  } finally {
    await db.destroy();
  }
}

/**
 * Replaces the database by a backup of `dumpServer`, migrated to this release. The replaced one stays beside it, as a schema of
 * another name. Throws `Conflict` (`database_in_use`), `Invalid` (`not_our_database`, `backup_newer`) and `Unavailable`
 * (`program_missing`, `program_failed`); then nothing was changed.
 */
export async function restoreServer(
  { url, backup, migrations }: { url: string; backup: string; migrations: Record<string, Migration> },
  { now = new Date(), ...options }: Run & { now?: Date },
): Promise<Restored> {
  await requireUnusedServer(url);
  requireOurMigrations(backup, await readDumpedNames(backup, options), migrations);
  const existed = (await readServerNames(url)).length > 0;
  const replaced = existed ? `replaced_${now.toISOString().replace(/\W/g, '_').toLowerCase()}` : null;
  await load(url, { backup, replaced }, options);
  const { ran } = await migrateServer(url, migrations);
  return {
    replaced: replaced === null ? null : `the schema ${replaced}`,
    damage: null,
    changes: replaced === null ? [] : await compareSchemas(url, replaced),
    ran,
  };
}
