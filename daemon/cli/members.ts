import { requireAccount } from '#shared/accounts/account';
import { clearBounces, listBounces } from '#shared/accounts/mail-bounces';
import { systemClock } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { readArguments, readEmail } from './arguments';
import {
  OPERATOR,
  createTool,
  formatTable,
  showUsage,
  UsageError,
  withDatabase,
  type CommandOutput,
  type Environment,
} from './terminal';

const USAGE = `Use: npm run members -- COMMAND [--json]

  bounces list           list the addresses that the mail server refuses; alert mails no longer go there
  bounces clear EMAIL    let alert mails go to an account's address again
  bounces clear --all    let them go to every address again, such as after a fault of the mail server

--json prints one JSON object as the last line, also when the command fails.`;

const OPTIONS = { all: { type: 'boolean', default: false } } as const;

async function showBounces(db: Database): Promise<CommandOutput> {
  const bounces = await listBounces(db);
  const rows = bounces.map(({ email, since, reason }) => [email, since, reason]);
  return {
    lines: [
      rows.length === 0 ? 'No address has bounced.' : formatTable([['address', 'since', 'reason'], ...rows]),
    ],
    json: { success: true, bounces },
  };
}

async function clear(db: Database, email: string | null): Promise<CommandOutput> {
  const account = email === null ? null : await requireAccount(db, email);
  const cleared = await clearBounces(db, {
    ...(account === null ? {} : { userId: account.id }),
    actor: OPERATOR,
    clock: systemClock,
  });
  const message =
    account === null
      ? `Cleared the bounces of ${cleared.length} ${cleared.length === 1 ? 'address' : 'addresses'}.`
      : cleared.length === 0
        ? `The address ${account.email} has not bounced.`
        : `Cleared the bounce of ${account.email}: alert mails go there again.`;
  return { lines: [message], json: { success: true, message, cleared } };
}

interface Command {
  /** The arguments after the command's name. */
  rest: string[];
  all: boolean;
  environment: Environment;
}

/** `bounces list | clear EMAIL | clear --all` */
function bounces({ rest, all, environment }: Command): Promise<CommandOutput> {
  const [action, address, ...more] = rest;
  if (action === undefined || more.length > 0) throw new UsageError(USAGE);
  if (action === 'list') {
    if (address !== undefined || all) throw new UsageError(USAGE);
    return withDatabase(environment, showBounces);
  }
  if (action !== 'clear') throw new UsageError(`There is no command bounces ${action}.\n\n${USAGE}`);
  if (all && address !== undefined) throw new UsageError(`Give an address or --all, not both.\n\n${USAGE}`);
  const email = all ? null : readEmail(address, USAGE);
  return withDatabase(environment, (db) => clear(db, email));
}

const COMMANDS: Readonly<Record<string, (command: Command) => Promise<CommandOutput>>> = { bounces };

/** `npm run members -- bounces list | bounces clear EMAIL | bounces clear --all` */
async function main(args: string[], environment: Environment): Promise<CommandOutput> {
  const { values, positionals } = readArguments(args, { options: OPTIONS, usage: USAGE });
  const [name, ...rest] = positionals;
  if (values.help || name === undefined) return showUsage(USAGE);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new UsageError(`There is no command ${name}.\n\n${USAGE}`);
  return command({ rest, all: values.all, environment });
}

export const tool = createTool(main);
