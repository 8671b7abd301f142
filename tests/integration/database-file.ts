import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Database } from '#shared/database/connection.server';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';

/** Gives each test of a file the path of a database that does not exist yet, in its own folder. */
export function databaseFile() {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'packwatch-file-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const pathOf = () => join(folder, 'packwatch.db');
  return {
    get folder() {
      return folder;
    },
    get path() {
      return pathOf();
    },
    /** Runs `work` with a connection to the file, and closes it. */
    async open<T>(work: (db: Database) => Promise<T>): Promise<T> {
      const db = openSqliteDatabase(pathOf());
      try {
        return await work(db);
      } finally {
        await db.destroy();
      }
    },
  };
}
