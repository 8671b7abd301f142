import { afterEach, beforeEach, vi } from 'vitest';
import type { Database } from '#shared/database/connection.server';
import { closeServerContext } from '~/http/server/context.server';
import { createTestDatabase, type TestDatabase } from './database';

export const SITE = 'https://packwatch.example';

/**
 * Lets the tests of a file call loaders and actions in their own process: each test gets a new database, which the site's
 * environment variables name.
 */
export function siteFixture(): { readonly db: Database } {
  let database: TestDatabase;

  beforeEach(async () => {
    // A late request of the test before may have opened a context with its environment.
    await closeServerContext();
    database = await createTestDatabase();
    for (const [name, value] of Object.entries(database.environment)) vi.stubEnv(name, value);
    vi.stubEnv('APP_URL', SITE);
    vi.stubEnv('LOG_LEVEL', 'silent');
    vi.stubEnv('REDIS_URL', undefined);
  });

  afterEach(async () => {
    await closeServerContext();
    await database.cleanup();
    vi.unstubAllEnvs();
  });

  return {
    get db() {
      return database.db;
    },
  };
}
