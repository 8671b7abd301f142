import { readConfig } from '#shared/config.server';
import type { DatabaseConfig } from '#shared/database-config';
import { openDatabase } from '#shared/database/connection.server';
import { migrateDown, migrateToLatest } from '#shared/database/migrator.server';
import { prepareStoredArticles } from '#shared/news/prepare-stored-articles.server';
import { migrations } from '../../migrations/all-migrations';
import { createProgram, defineCommand } from './command-line';
import { untilStopped } from './stop-signal';
import type { CommandOutput, Environment } from './terminal';

async function migrate(direction: 'up' | 'down', environment: Environment): Promise<CommandOutput> {
  const { database } = readConfig(environment);
  const change = direction === 'up' ? migrateToLatest : migrateDown;
  const { ran, backup, note, vacuumFault } = await untilStopped((signal) =>
    change(database, migrations, { signal }),
  );
  const articles = direction === 'up' ? await prepareArticles(database) : 0;
  const lines = backup === null ? [] : [`Kept a copy of the database before the change: ${backup}`];
  if (ran.length === 0)
    lines.push(direction === 'up' ? 'The database is up to date.' : 'There is no migration to revert.');
  if (vacuumFault !== undefined)
    lines.push(
      `The database file cannot give space back yet (${vacuumFault}). The next migrate tries again: stop web and daemon first, and make sure that the disk has room for twice the file.`,
    );
  for (const name of ran) lines.push(direction === 'up' ? `Migrated ${name}.` : `Reverted ${name}.`);
  if (note !== undefined) lines.push(note);
  if (articles > 0)
    lines.push(`Prepared the text of ${articles === 1 ? '1 article' : `${articles} articles`} again.`);
  return { lines, json: { success: true, direction, ran, backup, vacuumFault: vacuumFault ?? null } };
}

async function prepareArticles(database: DatabaseConfig): Promise<number> {
  const db = openDatabase(database);
  try {
    return await prepareStoredArticles(db);
  } finally {
    await db.destroy();
  }
}

/** `npm run migrate` brings the database to the newest schema; `npm run migrate -- down` reverts the last migration. */
export const tool = createProgram({
  start: 'npm run migrate --',
  commands: {
    '': defineCommand({
      use: '',
      help: ['Brings the database to the newest schema.'],
      run: ({ environment }) => migrate('up', environment),
    }),
    down: defineCommand({
      use: 'down',
      help: ['Reverts the last migration.'],
      run: ({ environment }) => migrate('down', environment),
    }),
  },
});
