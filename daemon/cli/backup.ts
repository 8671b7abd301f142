import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readConfig } from '#shared/config.server';
import { copyDatabase } from '#shared/database/copy-database.server';
import { SchemaError } from '#shared/database/schema-state.server';
import { createProgram, defineCommand } from './command-line';
import { untilStopped } from './stop-signal';
import { UsageError, type CommandOutput, type Environment } from './terminal';

async function backUp(target: string, environment: Environment): Promise<CommandOutput> {
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

/** `npm run backup -- FILE` writes a consistent copy of the database while everything runs. */
export const tool = createProgram({
  start: 'npm run backup --',
  commands: {
    '': defineCommand({
      use: 'FILE',
      help: [
        'Writes a consistent copy of the database while everything runs, and checks it. Uploads and releases are not in it:',
        'copy DATA_DIR/uploads and DATA_DIR/releases (or the bucket) after it.',
      ],
      needs: ['file'],
      run: ({ needed: [target], environment }) => backUp(target, environment),
    }),
  },
});
