import { readConfig } from '#shared/config.server';
import { isDatabaseAddress, readDatabaseConfig } from '#shared/database-config';
import { copyBetween } from '#shared/database/copy/copy-between.server';
import { describeDatabase } from '#shared/database/describe-database';
import type { Transaction } from '#shared/database/schema';
import { DomainError } from '#shared/errors';
import { openKeyring, type Keyring } from '#shared/secrets.server';
import { listWrongBalances } from '#shared/tokens/token-ledger';
import { migrations } from '../../migrations/all-migrations';
import { createProgram, defineCommand } from './command-line';
import { untilStopped } from './stop-signal';
import { formatTable, UsageError, type CommandOutput, type Environment } from './terminal';
import { listUnreadableSecrets } from './unreadable-secrets';

/** Throws `Conflict` for a copy that the processes could not use. */
async function requireUsable(copy: Transaction, keyring: Keyring): Promise<void> {
  const wrong = await listWrongBalances(copy);
  if (wrong.length > 0)
    throw new DomainError('Conflict', {
      code: 'wrong_balances',
      message: `The source is damaged: the token balance is not the sum of the ledger for ${wrong.join(', ')}. Nothing of the copy was kept.`,
    });
  const unreadable = await listUnreadableSecrets(copy, keyring);
  if (unreadable.length > 0)
    throw new DomainError('Conflict', {
      code: 'secrets_unreadable',
      message: `SESSION_SECRET does not open ${unreadable.join(', ')}. Nothing of the copy was kept. Set the secret of the source, or several (NEW,OLD), or set the named values again; then copy again.`,
    });
}

async function copyDatabase(address: string, environment: Environment): Promise<CommandOutput> {
  const config = readConfig(environment);
  const target = readDatabaseConfig(address, config.dataDir);
  const [from, to] = [describeDatabase(config.database), describeDatabase(target)];
  if (from === to) throw new UsageError(`${to} is the database itself. Name another one.`);
  const keyring = openKeyring(config);
  const tables = await untilStopped((signal) =>
    copyBetween({
      source: config.database,
      target,
      migrations,
      check: (copy) => requireUsable(copy, keyring),
      signal,
    }),
  );
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const next = [
    'Set DATABASE_URL to the copy for web and daemon, with the same SESSION_SECRET.',
    'Uploads and releases are not in it: docs/operating.md says how to move them to a bucket.',
    'Start web and daemon, and look at "npm run monitor -- status".',
    'Keep the source until all is well, and start nothing with it: what is written there is not copied.',
  ];
  return {
    lines: [
      formatTable([
        ['table', 'rows', 'SHA-256 of the rows, the same in both'],
        ...tables.map(({ name, rows: count, sha256 }) => [name, String(count), sha256]),
      ]),
      `Copied ${rows} rows of ${tables.length} tables from ${from} to ${to}.`,
      'The token balances are the sums of their ledgers, and SESSION_SECRET opens what is encrypted.',
      'Next:',
      ...next.map((step, index) => `${index + 1}. ${step}`),
    ],
    json: { success: true, source: from, target: to, rows, tables, next },
  };
}

/** `npm run copy-database -- --to ADDRESS` */
export const tool = createProgram({
  start: 'npm run copy-database --',
  commands: {
    '': defineCommand({
      use: '--to ADDRESS',
      help: [
        'Copies the database to another one, SQLite (file:PATH) or PostgreSQL (postgres://USER:PASSWORD@HOST/DATABASE), and',
        'compares both. Stop web and daemon first. The target is migrated and empty; after a failure it is empty again.',
      ],
      options: { to: { type: 'string' } },
      run: ({ values, environment }) => {
        if (values.to === undefined) throw new UsageError('--to is missing.');
        if (!isDatabaseAddress(values.to))
          // Without the value, which may hold a password.
          throw new UsageError('--to is file:PATH or postgres://USER:PASSWORD@HOST/DATABASE.');
        return copyDatabase(values.to, environment);
      },
    }),
  },
});
