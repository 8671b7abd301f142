import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readConfig } from '#shared/config.server';
import { copyDatabase } from '#shared/database/migrator.server';
import { reportFailure, UsageError } from './terminal';

/** `npm run backup -- FILE` writes a consistent copy of the database while everything runs. */
function main(): void {
  const [target, ...rest] = process.argv.slice(2);
  if (target === undefined || rest.length > 0) throw new UsageError('Use: npm run backup -- FILE');
  const file = resolve(target);
  if (existsSync(file))
    throw new UsageError(`${file} exists already. Choose a new name: a backup is never overwritten.`);
  const { databaseFile } = readConfig();
  if (!existsSync(databaseFile)) throw new UsageError(`There is no database at ${databaseFile} yet.`);
  copyDatabase(databaseFile, file);
  console.log(`Backed up ${databaseFile} to ${file}.`);
  console.log(
    'To restore it: stop web and daemon, put the copy in place of the database file, remove its -wal and -shm neighbours, start again.',
  );
}

try {
  main();
} catch (error) {
  reportFailure(error);
}
