import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readConfig } from '#shared/config.server';
import { copyDatabase } from '#shared/database/migrator.server';
import { SchemaError } from '#shared/database/schema-state.server';
import { readArguments } from './arguments';
import { createTool, showUsage, UsageError, type CommandOutput, type Environment } from './terminal';

const USAGE = `Use: npm run backup -- FILE [--json]

Writes a consistent copy of the database while everything runs. --json prints one JSON object as the last line, also
when the command fails.`;

/** `npm run backup -- FILE` writes a consistent copy of the database while everything runs. */
function main(args: string[], environment: Environment): CommandOutput {
  const { values, positionals } = readArguments(args, { options: {}, usage: USAGE });
  const [target, ...rest] = positionals;
  if (values.help) return showUsage(USAGE);
  if (target === undefined || rest.length > 0) throw new UsageError(USAGE);
  const file = resolve(target);
  if (existsSync(file))
    throw new UsageError(`${file} exists already. Choose a new name: a backup is never overwritten.`);
  const { databaseFile } = readConfig(environment);
  if (!existsSync(databaseFile))
    throw new SchemaError('database_missing', `There is no database at ${databaseFile} yet.`);
  // No schema check: a database that this release cannot use also needs a backup.
  copyDatabase(databaseFile, file);
  return {
    lines: [
      `Backed up ${databaseFile} to ${file}.`,
      'To restore it: stop web and daemon, replace the database file with the copy, delete its -wal and -shm files, start again.',
    ],
    json: { success: true, database: databaseFile, backup: file },
  };
}

export const tool = createTool(main);
