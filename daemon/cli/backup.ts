import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readConfig } from '#shared/config.server';
import { backUp } from '#shared/database/backups.server';
import { describeDatabase } from '#shared/database/describe-database';
import { createProgram, defineCommand } from './command-line';
import { untilStopped } from './stop-signal';
import { UsageError, type CommandOutput, type Environment } from './terminal';

async function backUpTo(target: string, environment: Environment): Promise<CommandOutput> {
  const file = resolve(target);
  if (existsSync(file))
    throw new UsageError(`${file} exists already. Choose a new name: a backup is never overwritten.`);
  const folder = dirname(file);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new UsageError(`There is no folder ${folder}. Create it first.`);
  const { database, dataDir } = readConfig(environment);
  await untilStopped((signal) => backUp(database, file, { environment, signal }));
  const source = describeDatabase(database);
  return {
    lines: [
      `Backed up ${source} to ${file}.`,
      `Uploads and releases are not in it: copy ${dataDir}/uploads and ${dataDir}/releases (or the bucket) as well.`,
      `To restore it: stop web and daemon, then run: npm run restore -- ${file}`,
    ],
    json: { success: true, database: source, backup: file },
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
      run: ({ needed: [target], environment }) => backUpTo(target, environment),
    }),
  },
});
