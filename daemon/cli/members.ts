import { requireAccount } from '#shared/accounts/account';
import { clearBounces, listBounces } from '#shared/accounts/mail-bounces';
import type { Clock } from '#shared/clock';
import type { Database } from '#shared/database/schema';
import { quoteValue, readEmail } from './arguments';
import { createProgram, defineCommand } from './command-line';
import { formatTime } from './local-time';
import { OPERATOR, formatTable, UsageError, withDatabase, type CommandOutput } from './terminal';

async function showBounces(db: Database): Promise<CommandOutput> {
  const bounces = await listBounces(db);
  const rows = bounces.map(({ email, since, reason }) => [email, formatTime(since), reason]);
  return {
    lines: [
      rows.length === 0 ? 'No address has bounced.' : formatTable([['address', 'since', 'reason'], ...rows]),
    ],
    json: { success: true, bounces },
  };
}

async function clear(db: Database, clock: Clock, email: string | null): Promise<CommandOutput> {
  const account = email === null ? null : await requireAccount(db, email);
  const cleared = await clearBounces(db, {
    ...(account === null ? {} : { userId: account.id }),
    actor: OPERATOR,
    clock,
  });
  const message =
    account === null
      ? `Cleared the bounces of ${cleared.length} ${cleared.length === 1 ? 'address' : 'addresses'}.`
      : cleared.length === 0
        ? `The address ${account.email} has not bounced.`
        : `Cleared the bounce of ${account.email}: alert mails go there again.`;
  return { lines: [message], json: { success: true, message, cleared } };
}

/** `npm run members -- bounces list | bounces clear EMAIL | bounces clear --all` */
export const tool = createProgram({
  start: 'npm run members --',
  commands: {
    'bounces list': defineCommand({
      use: 'bounces list',
      help: ['list the addresses that the mail server refuses; alert mails no longer go there'],
      run: ({ environment }) => withDatabase(environment, showBounces),
    }),
    'bounces clear': defineCommand({
      use: 'bounces clear EMAIL | --all',
      help: [
        "let alert mails go to an account's address again; with --all to every address, such as after",
        'a fault of the mail server',
      ],
      takesOptional: true,
      options: { all: { type: 'boolean' } },
      run: ({ optional, values, environment }) => {
        if (values.all === true && optional !== undefined)
          throw new UsageError(`Give an address (${quoteValue(optional)}) or --all, not both.`);
        if (values.all !== true && optional === undefined)
          throw new UsageError('The email address is missing.');
        const email = optional === undefined ? null : readEmail(optional);
        return withDatabase(environment, (db, _config, clock) => clear(db, clock, email));
      },
    }),
  },
});
