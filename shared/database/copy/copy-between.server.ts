import { sql, type Insertable } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DatabaseConfig } from '../../database-config';
import { DomainError } from '../../errors';
import { openDatabase } from '../connection.server';
import { describeDatabase } from '../describe-database';
import { isPostgres } from '../postgres/is-postgres';
import { deferForeignKeys, liftTimeLimits } from '../postgres/long-transaction';
import { requireUnusedServer } from '../postgres/require-unused.server';
import type { Database, Schema, Transaction } from '../schema';
import { SchemaError } from '../schema-error';
import { requireCurrentSchema } from '../schema-state.server';
import { requireUnusedFile } from '../sqlite/require-unused.server';
import { readTableShapes, type TableShape } from '../sqlite/table-shapes.server';
import { readTable, type TableSum } from './table-rows';

export interface CopiedTable extends TableSum {
  name: string;
}

interface CopyInput {
  source: DatabaseConfig;
  target: DatabaseConfig;
  migrations: Record<string, Migration>;
  /** Checks the copy before it is committed; throws if it cannot be used. */
  check(copy: Transaction): Promise<void>;
  /** Aborts the copy and rolls it back. */
  signal?: AbortSignal;
}

async function requireUnused(config: DatabaseConfig): Promise<void> {
  if (config.engine === 'postgres') await requireUnusedServer(config.url);
  else requireUnusedFile(config.file);
}

async function requireMigratedTarget(target: DatabaseConfig, names: readonly string[]): Promise<void> {
  try {
    await requireCurrentSchema(target, names);
  } catch (error) {
    if (!(error instanceof SchemaError) || error.code === 'database_newer') throw error;
    throw new SchemaError(
      error.code,
      `${describeDatabase(target)} is not migrated to this release. Run "npm run migrate" with DATABASE_URL set to it, then copy again.`,
    );
  }
}

/** A write transaction without the time limit of `inTransaction`. */
function inLongTransaction<Result>(
  db: Database,
  work: (trx: Transaction) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    if (isPostgres(trx)) await liftTimeLimits(trx);
    return work(trx);
  });
}

async function countRows(trx: Transaction, { name }: TableShape): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(
    trx,
  );
  return rows[0]?.count ?? 0;
}

/** Deletes the rows that the migrations wrote. Throws `Conflict` (`target_not_empty`) if the target has other rows. */
async function emptyTarget(trx: Transaction, shapes: readonly TableShape[], target: string): Promise<void> {
  const used: string[] = [];
  for (const shape of shapes) {
    const count = await countRows(trx, shape);
    if (count > shape.initialRows) used.push(`${shape.name} (${count})`);
    else if (count > 0) await sql`delete from ${sql.table(shape.name)}`.execute(trx);
  }
  if (used.length === 0) return;
  throw new DomainError('Conflict', {
    code: 'target_not_empty',
    message: `${target} is not empty; rows of ${used.join(', ')}. Nothing was changed. Make a new database, or empty this one, run "npm run migrate" with DATABASE_URL set to it, then copy again.`,
  });
}

function requireEqual(copied: readonly CopiedTable[], found: readonly CopiedTable[]): void {
  const faults = copied.flatMap(({ name, rows, sha256 }, index) => {
    const copy = found[index];
    if (copy?.rows !== rows) return [`${name} (${rows} rows, ${copy?.rows ?? 0} in the copy)`];
    return copy.sha256 === sha256 ? [] : [`${name} (${rows} rows with other values)`];
  });
  if (faults.length === 0) return;
  throw new DomainError('Unavailable', {
    code: 'copy_differs',
    message: `The copy differs from the source, so nothing of it was kept: ${faults.join(', ')}.`,
  });
}

/**
 * Copies every row to a migrated, empty database of either engine, then reads the copy to compare it. No other process
 * may have either database open. One transaction reads the source and one writes the target, so an error or a crash
 * leaves the target unchanged. Returns the tables that were copied. Throws a `SchemaError`, `Conflict`
 * (`database_in_use`, `target_not_empty`) and `Unavailable` (`copy_differs`).
 */
export async function copyBetween({
  source,
  target,
  migrations,
  check,
  signal,
}: CopyInput): Promise<CopiedTable[]> {
  const names = Object.keys(migrations);
  await requireCurrentSchema(source, names);
  await requireMigratedTarget(target, names);
  await requireUnused(source);
  await requireUnused(target);
  const shapes = await readTableShapes(migrations);
  const from = openDatabase(source);
  const to = openDatabase(target);

  const sumUp = async (
    trx: Transaction,
    onPage?: (shape: TableShape, rows: object[]) => Promise<void>,
  ): Promise<CopiedTable[]> => {
    const tables: CopiedTable[] = [];
    for (const shape of shapes) {
      const sum = await readTable(trx, shape, { onPage: async (rows) => onPage?.(shape, rows), signal });
      tables.push({ name: shape.name, ...sum });
    }
    return tables;
  };

  try {
    return await inLongTransaction(from, (reading) =>
      inLongTransaction(to, async (writing) => {
        await emptyTarget(writing, shapes, describeDatabase(target));
        const checkForeignKeys = await deferKeys(writing);
        const copied = await sumUp(reading, async ({ name }, rows) => {
          await writing
            .insertInto(name as keyof Schema)
            .values(rows as Insertable<Schema[keyof Schema]>[])
            .execute();
        });
        await checkForeignKeys();
        requireEqual(copied, await sumUp(writing));
        await check(writing);
        signal?.throwIfAborted();
        return copied;
      }),
    );
  } finally {
    await from.destroy();
    await to.destroy();
  }
}

/** Lets rows be written in any order. Foreign keys are checked by the returned function or at the commit. */
async function deferKeys(trx: Transaction): Promise<() => Promise<void>> {
  if (isPostgres(trx)) return deferForeignKeys(trx);
  // Until the end of the transaction (sqlite.org/pragma.html#pragma_defer_foreign_keys).
  await sql`pragma defer_foreign_keys = on`.execute(trx);
  return () => Promise.resolve();
}
