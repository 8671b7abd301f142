import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readConfig } from '#shared/config.server';
import { isOwnFile, restoreBackup, type TableChange } from '#shared/database/backups.server';
import { openDatabase } from '#shared/database/connection.server';
import { describeDatabase } from '#shared/database/describe-database';
import { prepareStoredArticles } from '#shared/news/prepare-stored-articles.server';
import { openKeyring } from '#shared/secrets.server';
import { migrations } from '../../migrations/all-migrations';
import { createProgram, defineCommand } from './command-line';
import { formatTime } from './local-time';
import { untilStopped } from './stop-signal';
import { formatTable, UsageError, type CommandOutput, type Environment } from './terminal';
import { listUnreadableSecrets } from './unreadable-secrets';

function describeChanges(changes: readonly TableChange[]): string[] {
  const lost = changes.filter((change) => change.lost > 0);
  if (changes.length === 0) return [];
  if (lost.length === 0) return ['Nothing is lost: the backup has every row of the replaced database.'];
  return [
    'Lost, because it is newer than the backup:',
    formatTable([
      ['what', 'rows', 'newest in the backup', 'newest before'],
      ...lost.map(({ label, lost: rows, newestKept, newestReplaced }) => [
        label,
        String(rows),
        formatTime(newestKept),
        formatTime(newestReplaced),
      ]),
    ]),
  ];
}

function listNextSteps(
  changes: readonly TableChange[],
  unreadable: readonly string[],
  dataDir: string,
): string[] {
  const back = changes.find(({ label }) => label === 'accounts')?.back ?? 0;
  const steps = [
    ...(unreadable.length > 0
      ? [
          `SESSION_SECRET does not open ${unreadable.join(', ')}: set the secret of the backup's time as well (NEW,OLD), or set them again.`,
        ]
      : []),
    `Uploads and releases are not in the backup: restore ${dataDir}/uploads and ${dataDir}/releases (or the bucket) from the same time. "npm run uploads -- orphans" lists what has no record.`,
    'Payments since then are at Stripe only: "npm run payments -- adopt" lists them, and "npm run payments -- adopt --apply" brings them back, before members buy again; then "npm run payments -- reconcile".',
    ...(back > 0 ? [`Accounts that were deleted since are back: ${back}. Delete them again.`] : []),
    'Start web and daemon, and look at "npm run monitor -- status".',
  ];
  return ['Next:', ...steps.map((step, index) => `${index + 1}. ${step}`)];
}

async function restore(source: string, environment: Environment): Promise<CommandOutput> {
  const backup = resolve(source);
  if (!existsSync(backup) || !statSync(backup).isFile()) throw new UsageError(`There is no file ${backup}.`);
  const config = readConfig(environment);
  const { database, dataDir } = config;
  const target = describeDatabase(database);
  if (isOwnFile(database, backup))
    throw new UsageError(`${backup} is the database itself. Name a backup of it.`);
  const { replaced, damage, changes, ran } = await untilStopped((signal) =>
    restoreBackup(database, { backup, migrations }, { environment, signal }),
  );
  const db = openDatabase(database);
  let unreadable: string[];
  try {
    await prepareStoredArticles(db);
    unreadable = await listUnreadableSecrets(db, openKeyring(config));
  } finally {
    await db.destroy();
  }
  const next = listNextSteps(changes, unreadable, dataDir);
  return {
    lines: [
      `Restored ${target} from ${backup}.`,
      ...(ran.length === 0 ? [] : [`Migrated it: ${ran.join(', ')}.`]),
      ...(replaced === null
        ? []
        : [`The replaced database is ${replaced}. Delete it once you do not need it.`]),
      ...(damage === null ? [] : [`It could not be read, so what is lost is unknown: ${damage}.`]),
      ...describeChanges(changes),
      ...next,
    ],
    json: {
      success: true,
      database: target,
      backup,
      replaced,
      damage,
      migrated: ran,
      changes,
      unreadable,
      next,
    },
  };
}

/** `npm run restore -- FILE` */
export const tool = createProgram({
  start: 'npm run restore --',
  commands: {
    '': defineCommand({
      use: 'FILE',
      help: [
        'Replaces the database by a backup and migrates it. Stop web and daemon first. The replaced database is kept beside',
        'the new one, and the output says what the backup lacks.',
      ],
      needs: ['file'],
      run: ({ needed: [source], environment }) => restore(source, environment),
    }),
  },
});
