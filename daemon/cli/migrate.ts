import { ConfigError, readConfig } from '#shared/config.server';
import { migrateDown, migrateToLatest } from '#shared/database/migrator.server';
import { migrations } from '../../migrations/all-migrations';
import { reportFailure } from './terminal';

/** `npm run migrate` brings the database to the newest schema; `npm run migrate -- down` takes the last step back. */
async function main(): Promise<void> {
  const [direction = 'up', ...rest] = process.argv.slice(2);
  if ((direction !== 'up' && direction !== 'down') || rest.length > 0)
    throw new ConfigError(['Use: npm run migrate, or: npm run migrate -- down']);
  const { databaseFile } = readConfig();
  const { ran, backup, spaceFault } = await (direction === 'up' ? migrateToLatest : migrateDown)(
    databaseFile,
    migrations,
  );
  if (backup !== null) console.log(`Kept a copy of the database before the change: ${backup}`);
  if (ran.length === 0)
    console.log(direction === 'up' ? 'The database is up to date.' : 'There is no migration to take back.');
  if (spaceFault !== undefined)
    console.log(
      `The database file cannot give space back yet (${spaceFault}). The next migrate tries again; stop web and daemon first, and see that the disk has room for twice the file.`,
    );
  for (const name of ran) console.log(direction === 'up' ? `Migrated ${name}.` : `Took back ${name}.`);
}

main().catch(reportFailure);
