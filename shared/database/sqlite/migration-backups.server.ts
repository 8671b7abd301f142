import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  bytesOfDatabase,
  copyDatabase,
  missingBytes,
  noSpaceFor,
  type CopyOptions,
} from './copy-database.server';

/** How many of the newest pre-migration copies are kept. */
export const MAX_BACKUPS = 2;

const folderOf = (file: string): string => join(dirname(file), 'backups');

/** The pre-migration copies, newest first: their names sort by time. */
function listBackups(file: string): string[] {
  const folder = folderOf(file);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(file)}.before-migration.`) && !name.includes('.partial'))
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}

/** Removes all but the newest backups. */
export function removeOldBackups(file: string): void {
  for (const path of listBackups(file).slice(MAX_BACKUPS)) rmSync(path, { force: true });
}

/** Removes the oldest backups until `bytes` more fit. Throws `Unavailable` (`disk_full`) if that is not enough. */
function makeRoom(file: string, bytes: number, readFreeBytes: CopyOptions['readFreeBytes']): void {
  const folder = folderOf(file);
  let missing = missingBytes(folder, bytes, readFreeBytes);
  const removable: string[] = [];
  for (const path of listBackups(file).reverse()) {
    if (missing === 0) break;
    missing = Math.max(0, missing - statSync(path).size);
    removable.push(path);
  }
  if (missing > 0)
    throw noSpaceFor(
      { what: 'The copy of the database from before the migration', bytes, missing, folder },
      'Free some space or enlarge the disk, then run the migration again. The previous release still works with this database.',
    );
  for (const path of removable) rmSync(path, { force: true });
}

/** Copies the database before a migration, after making room for it. Returns the path of the copy. */
export async function backUpBeforeMigration(file: string, now: Date, options: CopyOptions): Promise<string> {
  const folder = folderOf(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeOldBackups(file);
  makeRoom(file, bytesOfDatabase(file), options.readFreeBytes);
  const stamp = now.toISOString().replace(/[:.]/g, '-');
  const backup = join(folder, `${basename(file)}.before-migration.${stamp}`);
  await copyDatabase(file, backup, options);
  return backup;
}
