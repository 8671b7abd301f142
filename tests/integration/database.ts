import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openDatabase, type Database } from '#shared/database/connection.server';

export interface TestDatabase {
  db: Database;
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
  const db = openDatabase(file);
  return {
    db,
    file,
    folder,
    async cleanup() {
      await db.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
