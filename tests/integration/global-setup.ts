import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrateToLatest } from '#shared/database/migrator.server';
import { migrations } from '../../migrations/all-migrations';
import { startPrivateRedis } from '../../scripts/processes/private-redis.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database file; every test works on its own copy. */
    templateDatabase: string;
    /** One Redis for all tests; each uses a prefix of its own. */
    redisUrl: string;
  }
}

/** Migrates the database file that all tests copy, and sees to a Redis. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-tests-'));
  const file = join(folder, 'template.db');
  await migrateToLatest(file, migrations);
  const given = process.env.REDIS_URL;
  const redis = given === undefined ? await startPrivateRedis({ directory: folder }) : null;
  project.provide('templateDatabase', file);
  project.provide('redisUrl', given ?? redis?.url ?? '');
  return async () => {
    await redis?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
