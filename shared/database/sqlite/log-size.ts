import { sql, type Kysely } from 'kysely';
import { stat } from 'node:fs/promises';
import { LOG_SIZE_LIMIT_BYTES } from './sqlite-database.server';
import type { Schema } from '../schema';

/** Twice the size to which SQLite truncates it: a program keeps an old state of the database open. */
const LARGE_BYTES = 2 * LOG_SIZE_LIMIT_BYTES;

/** The size of the write-ahead log of a database file in bytes; 0 if there is none. */
export async function readLogBytes(databaseFile: string): Promise<number> {
  try {
    return (await stat(`${databaseFile}-wal`)).size;
  } catch {
    return 0;
  }
}

/** Why a write-ahead log of this size is too large, in a sentence for an operator, or null. */
export function describeLogSize(databaseFile: string, bytes: number): string | null {
  if (bytes < LARGE_BYTES) return null;
  return `The write-ahead log of the database has ${Math.round(bytes / 1024 ** 2)} MB and cannot shrink: a program keeps the database open for reading. End it before the disk is full, such as an open sqlite3: "lsof ${databaseFile}" lists it beside web and daemon.`;
}

/** The same of an open database. */
export async function findLogFaultOf(db: Kysely<Schema>): Promise<string | null> {
  const { rows } = await sql<{
    file: string;
  }>`select file from pragma_database_list where name = 'main'`.execute(db);
  const file = rows[0]?.file ?? '';
  return describeLogSize(file, await readLogBytes(file));
}
