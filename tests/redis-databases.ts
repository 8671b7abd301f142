import { Redis } from 'ioredis';

/**
 * A Redis has sixteen databases (redis.io/docs, `databases` in redis.conf). 0 is that of the integration tests, which use a
 * prefix each.
 */
const WORKER_DATABASES = 14;
const NODE_VERSIONS_DATABASE = 15;

/** The database of a Playwright worker. A worker that takes over from a failed one gets another. */
export function emptyWorkerDatabase(workerIndex: number): Promise<string> {
  return emptyDatabase(1 + (workerIndex % WORKER_DATABASES));
}

/** The database of the tests of other Nodes. */
export function emptyNodeVersionsDatabase(): Promise<string> {
  return emptyDatabase(NODE_VERSIONS_DATABASE);
}

/** Empties a database of the Redis that `REDIS_URL` names. Returns the database's URL. */
async function emptyDatabase(database: number): Promise<string> {
  const { REDIS_URL } = process.env;
  if (REDIS_URL === undefined)
    throw new Error('REDIS_URL is not set: run these tests with npm test, which brings a private Redis.');
  const url = new URL(REDIS_URL);
  // The one spelling that holds for sockets, too: search parameters are options (ioredis, `parseURL`).
  url.searchParams.set('db', String(database));
  const redis = new Redis(url.href);
  await redis.flushdb();
  await redis.quit();
  return url.href;
}
