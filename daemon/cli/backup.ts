import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readConfig } from '#shared/config.server';
import { copyDatabase } from '#shared/database/copy-database.server';
import { SchemaError } from '#shared/database/schema-state.server';
import { readArguments } from './arguments';
import { untilStopped } from './stop-signal';
import { createTool, showUsage, UsageError, type CommandOutput, type Environment } from './terminal';

const USAGE = `Use: npm run backup -- FILE [--json]

Writes a consistent copy of the database while everything runs, and checks it. Uploads and releases are not in it: copy
DATA_DIR/uploads and DATA_DIR/releases (or the bucket) after it. --json prints one JSON object as the last line, also
when the command fails.`;

/** `npm run backup -- FILE` writes a consistent copy of the database while everything runs. */
async function main(args: string[], environment: Environment): Promise<CommandOutput> {
  const { values, positionals } = readArguments(args, { options: {}, usage: USAGE });
  const [target, ...rest] = positionals;
  if (values.help) return showUsage(USAGE);
  if (target === undefined || rest.length > 0) throw new UsageError(USAGE);
  const file = resolve(target);
  if (existsSync(file))
    throw new UsageError(`${file} exists already. Choose a new name: a backup is never overwritten.`);
  const folder = dirname(file);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new UsageError(`There is no folder ${folder}. Create it first.`);
  const { databaseFile, dataDir } = readConfig(environment);
  if (!existsSync(databaseFile))
    throw new SchemaError('database_missing', `There is no database at ${databaseFile} yet.`);
  // No schema check: a database that this release cannot use also needs a backup.
  await untilStopped((signal) => copyDatabase(databaseFile, file, { signal }));
  return {
    lines: [
      `Backed up ${databaseFile} to ${file}.`,
      `Uploads and releases are not in it: copy ${dataDir}/uploads and ${dataDir}/releases (or the bucket) as well.`,
      `To restore it: stop web and daemon, then run: npm run restore -- ${file}`,
    ],
    json: { success: true, database: databaseFile, backup: file },
  };
}

export const tool = createTool(main);
