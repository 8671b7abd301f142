import type { Clock } from '#shared/clock';
import type { Config } from '#shared/config.server';
import type { Database } from '#shared/database/schema';
import { readEmail } from './arguments';
import { defineCommand } from './command-line';
import { withDatabase, type CommandOutput } from './terminal';

/** What a command on an account needs. */
export interface Target {
  db: Database;
  config: Config;
  clock: Clock;
  email: string;
}

/** A command on the account with the email address that is its argument. */
export function accountCommand(
  use: string,
  help: readonly string[],
  run: (target: Target) => Promise<CommandOutput>,
): ReturnType<typeof defineCommand> {
  return defineCommand({
    use: `${use} EMAIL`,
    help,
    needs: ['email address'],
    run: ({ needed: [address], environment }) => {
      const email = readEmail(address);
      return withDatabase(environment, (db, config, clock) => run({ db, config, clock, email }));
    },
  });
}
