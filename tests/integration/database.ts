import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { DatabaseConfig } from '#shared/database-config';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { lendDatabase } from './postgres-databases';

export interface TestDatabase {
  db: Database;
  config: DatabaseConfig;
  /** The environment of processes that use the database. */
  environment: Record<string, string>;
  /** The SQLite file; does not exist when the tests run on PostgreSQL. */
  file: string;
  /** A temporary folder, removed with the database. */
  folder: string;
  cleanup(): Promise<void>;
}

/** Creates a migrated database: a file in a temporary folder, or a database of the PostgreSQL server of the tests. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-test-'));
  const file = join(folder, 'packwatch.db');
  const make = async (): Promise<
    Pick<TestDatabase, 'config' | 'environment'> & { giveBack(): Promise<void> }
  > => {
    if (inject('postgresUrl') === '') {
      copyFileSync(inject('templateDatabase'), file);
      return {
        config: { engine: 'sqlite', file } as const,
        environment: { DATABASE_URL: `file:${file}` },
        giveBack: () => Promise.resolve(),
      };
    }
    const { url, giveBack } = await lendDatabase();
    // Files of these tests are stored in their folder, as beside the sandbox.
    return {
      config: { engine: 'postgres', url } as const,
      environment: { DATABASE_URL: url, SANDBOX: '1' },
      giveBack,
    };
  };
  const { config, environment, giveBack } = await make();
  const db = openDatabase(config);
  return {
    db,
    config,
    environment,
    file,
    folder,
    async cleanup() {
      await db.destroy();
      await giveBack();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
