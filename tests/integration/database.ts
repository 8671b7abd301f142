import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { DatabaseConfig } from '#shared/database-config';
import { openDatabase, type Database } from '#shared/database/connection.server';

export interface TestDatabase {
  db: Database;
  config: DatabaseConfig;
  /** The environment of processes that use the database. */
  environment: Record<string, string>;
  file: string;
  /** A temporary folder, removed with the database. */
  folder: string;
  cleanup(): Promise<void>;
}

/** Creates a migrated database in a temporary folder. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-test-'));
  const file = join(folder, 'packwatch.db');
  copyFileSync(inject('templateDatabase'), file);
  const config = { engine: 'sqlite', file } as const;
  const db = openDatabase(config);
  return {
    db,
    config,
    environment: { DATABASE_URL: `file:${file}` },
    file,
    folder,
    async cleanup() {
      await db.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
