import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrateToLatest } from '#shared/database/migrator.server';
import { migrations } from '../../migrations/all-migrations';
import { startPrivateRedis } from '../../scripts/processes/private-redis.mjs';
import { startPrivatePostgres } from '../../scripts/processes/private-postgres.mjs';
import { newBundleFolder } from './bundle-folder';
import { createTemplate } from './postgres-databases';

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database file; every test copies it. */
    templateDatabase: string;
    /** The PostgreSQL server that the tests use; empty: they use SQLite. */
    postgresUrl: string;
    /** One Redis for all tests; each test uses its own prefix. */
    redisUrl: string;
    /** Where the first test file that starts a daemon or a command bundles them for all files. */
    daemonBundles: string;
  }
}

/** Starts a PostgreSQL server with a migrated template. */
async function startPostgres() {
  const server = await startPrivatePostgres();
  const url = server.urlOf('postgres');
  await createTemplate(url);
  return { url, stop: server.stop };
}

/**
 * Migrates the template database. Starts a Redis unless REDIS_URL names one, and for the projects `postgres` and
 * `all-on-postgres` a PostgreSQL server, which their tests use.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-tests-'));
  const file = join(folder, 'template.db');
  await migrateToLatest({ engine: 'sqlite', file }, migrations);
  const given = process.env.REDIS_URL;
  const redis = given === undefined ? await startPrivateRedis({ directory: folder }) : null;
  const postgres = project.name.endsWith('postgres') ? await startPostgres() : null;
  project.provide('postgresUrl', postgres?.url ?? '');
  project.provide('templateDatabase', file);
  project.provide('redisUrl', given ?? redis?.url ?? '');
  const bundles = newBundleFolder();
  const removeBundles = () => rmSync(bundles, { recursive: true, force: true });
  project.provide('daemonBundles', bundles);
  project.onTestsRerun(removeBundles);
  return async () => {
    await redis?.stop();
    await postgres?.stop();
    removeBundles();
    rmSync(folder, { recursive: true, force: true });
  };
}
