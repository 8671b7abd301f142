import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrateToLatest } from '#shared/database/migrator.server';
import { migrations } from '../../migrations/all-migrations';

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database file; every test works on its own copy. */
    templateDatabase: string;
  }
}

/** Migrates one database file that all tests copy. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-template-'));
  const file = join(folder, 'template.db');
  await migrateToLatest(file, migrations);
  project.provide('templateDatabase', file);
  return () => rmSync(folder, { recursive: true, force: true });
}
