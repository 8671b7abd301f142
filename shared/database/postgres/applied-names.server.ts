import { sql, type Kysely } from 'kysely';
import { DomainError } from '../../errors';
import type { Schema } from '../schema';
import { openPostgresDatabase } from './postgres-database.server';

/** Collations that compare text by code points, as SQLite and our code do; `C.UTF-8` has several spellings. */
const BY_CODE_POINT = /^(?:C|POSIX|C\.UTF-?8)$/i;

/** How to create a database that the product can use, but for its name. */
const CREATION = "template template0 encoding 'UTF8' locale_provider 'libc' lc_collate 'C' lc_ctype 'C'";

/** Throws `Invalid` (`database_collation`) for a database that orders or stores text in another way. */
async function requireCodePoints(db: Kysely<Schema>): Promise<void> {
  // Beside the provider ICU, `datcollate` orders nothing.
  const { rows } = await sql<{ collation: string; encoding: string }>`
    select case datlocprovider when 'i' then 'ICU' else datcollate end as collation,
      pg_encoding_to_char(encoding) as encoding
    from pg_database where datname = current_database()`.execute(db);
  const { collation, encoding } = rows[0] ?? { collation: '', encoding: '' };
  if (BY_CODE_POINT.test(collation) && encoding === 'UTF8') return;
  throw new DomainError('Invalid', {
    code: 'database_collation',
    message: `The database has the encoding ${encoding} and the collation ${collation}. It needs UTF8 and C: create it with "create database NAME ${CREATION}".`,
  });
}

/** The names of the migrations that a database has. Throws `Invalid` for a database that the product cannot use. */
export async function listAppliedNames(db: Kysely<Schema>): Promise<string[]> {
  await requireCodePoints(db);
  const table = await sql<{
    name: string | null;
  }>`select to_regclass('kysely_migration')::text as name`.execute(db);
  if (table.rows[0]?.name === null) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** See `listAppliedNames`; opens a connection and closes it. */
export async function readServerNames(url: string): Promise<string[]> {
  const db = openPostgresDatabase(url, { maxConnections: 1 });
  try {
    return await listAppliedNames(db);
  } finally {
    await db.destroy();
  }
}
