import { sql } from 'kysely';
import type { Transaction } from '../schema';

/** Lets the statements of a transaction, and the time between them, take any time. */
export async function liftTimeLimits(trx: Transaction): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(trx);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
}

/**
 * Lets the rows of a transaction be written in any order: foreign keys are checked by the function that is returned, which
 * makes them immediate again. Locks the tables until the transaction ends.
 */
export async function deferForeignKeys(trx: Transaction): Promise<() => Promise<void>> {
  const { rows } = await sql<{ table: string; name: string }>`
    select conrelid::regclass::text as "table", conname as name from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(trx);
  const alter = async (when: string): Promise<void> => {
    for (const { table, name } of rows)
      await sql`alter table ${sql.raw(table)} alter constraint ${sql.ref(name)} ${sql.raw(when)}`.execute(
        trx,
      );
  };
  await alter('deferrable initially deferred');
  return async () => {
    await sql`set constraints all immediate`.execute(trx);
    await alter('not deferrable');
  };
}
