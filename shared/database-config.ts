import { resolve } from 'node:path';

/**
 * The database of a process: an SQLite file on its machine, or a PostgreSQL server that several machines share. Only
 * `shared/database` asks which it is.
 */
export type DatabaseConfig =
  | { engine: 'sqlite'; /** Absolute path. */ file: string }
  | { engine: 'postgres'; url: string };

const SERVER = /^postgres(?:ql)?:\/\//;

/** Whether an address names a PostgreSQL server, with a database. Its parameters are the driver's, but for `statements`. */
function isServerAddress(address: string): boolean {
  if (!SERVER.test(address) || !URL.canParse(address)) return false;
  const { pathname, searchParams } = new URL(address);
  return pathname.length > 1 && ['unnamed', null].includes(searchParams.get('statements'));
}

/** Whether a text can be the value of DATABASE_URL. */
export function isDatabaseAddress(text: string): boolean {
  return /^file:.+/.test(text) || isServerAddress(text);
}

/** The database that DATABASE_URL names. Default: a file in DATA_DIR. */
export function readDatabaseConfig(address: string | undefined, dataDir: string): DatabaseConfig {
  if (address === undefined) return { engine: 'sqlite', file: resolve(dataDir, 'packwatch.db') };
  if (SERVER.test(address)) return { engine: 'postgres', url: address };
  return { engine: 'sqlite', file: resolve(address.slice('file:'.length)) };
}

const S3 = 'each machine must find the files that another one has stored';

/** The variables that several machines must share besides the database, with the reasons. */
const SHARED_BY_MACHINES: Record<string, string> = {
  SESSION_SECRET: 'each machine must accept the sessions and open the secrets of the others',
  REDIS_URL: 'the queues and the limits of all machines live in one Redis',
  S3_URL: S3,
  S3_BUCKET: S3,
  S3_ACCESS_KEY_ID: S3,
  S3_SECRET_ACCESS_KEY: S3,
};

/**
 * The variables that a PostgreSQL server needs beside it and that are missing, each with a sentence. Beside the sandbox
 * (`SANDBOX=1`) everything runs on one machine, so none is needed.
 */
export function findDatabaseFaults(given: Record<string, string | undefined>): Map<string, string> {
  const faults = new Map<string, string>();
  if (!SERVER.test(given.DATABASE_URL ?? '') || given.SANDBOX === '1') return faults;
  for (const [name, reason] of Object.entries(SHARED_BY_MACHINES))
    if (given[name] === undefined)
      faults.set(name, `${name} must be set beside a DATABASE_URL of PostgreSQL: ${reason}.`);
  return faults;
}
