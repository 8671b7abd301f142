import { readConfig } from '#shared/config.server';
import { openDatabase } from '#shared/database/connection.server';
import { migrateDown, migrateToLatest } from '#shared/database/migrator.server';
import { prepareStoredArticles } from '#shared/news/prepare-stored-articles.server';
import { migrations } from '../../migrations/all-migrations';
import { readArguments } from './arguments';
import { untilStopped } from './stop-signal';
import { createTool, showUsage, UsageError, type CommandOutput, type Environment } from './terminal';

const USAGE = `Use: npm run migrate [-- --json], or: npm run migrate -- down [--json]

Brings the database to the newest schema, or reverts the last migration. --json prints one JSON object as the last
line, also when the command fails.`;

/** `npm run migrate` brings the database to the newest schema; `npm run migrate -- down` reverts the last migration. */
async function main(args: string[], environment: Environment): Promise<CommandOutput> {
  const { values, positionals } = readArguments(args, { options: {}, usage: USAGE });
  const [direction = 'up', ...rest] = positionals;
  if (values.help) return showUsage(USAGE);
  if ((direction !== 'up' && direction !== 'down') || rest.length > 0) throw new UsageError(USAGE);
  const { databaseFile } = readConfig(environment);
  const change = direction === 'up' ? migrateToLatest : migrateDown;
  const { ran, backup, vacuumFault } = await untilStopped((signal) =>
    change(databaseFile, migrations, { signal }),
  );
  const articles = direction === 'up' ? await prepareArticles(databaseFile) : 0;
  const lines = backup === null ? [] : [`Kept a copy of the database before the change: ${backup}`];
  if (ran.length === 0)
    lines.push(direction === 'up' ? 'The database is up to date.' : 'There is no migration to revert.');
  if (vacuumFault !== undefined)
    lines.push(
      `The database file cannot give space back yet (${vacuumFault}). The next migrate tries again: stop web and daemon first, and make sure that the disk has room for twice the file.`,
    );
  for (const name of ran) lines.push(direction === 'up' ? `Migrated ${name}.` : `Reverted ${name}.`);
  if (articles > 0)
    lines.push(`Prepared the text of ${articles === 1 ? '1 article' : `${articles} articles`} again.`);
  return { lines, json: { success: true, direction, ran, backup, vacuumFault: vacuumFault ?? null } };
}

async function prepareArticles(databaseFile: string): Promise<number> {
  const db = openDatabase(databaseFile);
  try {
    return await prepareStoredArticles(db);
  } finally {
    await db.destroy();
  }
}

export const tool = createTool(main);
