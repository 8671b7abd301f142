import { grantAdmin, listAdmins, revokeAdmin } from '#shared/accounts/admins';
import { systemClock } from '#shared/clock';
import type { Config } from '#shared/config.server';
import type { Database } from '#shared/database/connection.server';
import { readArguments, readEmail } from './arguments';
import {
  formatTable,
  OPERATOR,
  createTool,
  showUsage,
  UsageError,
  withDatabase,
  type CommandOutput,
  type Environment,
} from './terminal';

const USAGE = `Use: npm run admin -- COMMAND [--json]

  grant EMAIL     make the account with this address an admin
  revoke EMAIL    make the account an ordinary member again
  list            list the admins

--json prints one JSON object as the last line, also when the command fails.`;

async function grant(db: Database, email: string): Promise<CommandOutput> {
  const changed = await grantAdmin(db, { email, actor: OPERATOR, clock: systemClock });
  const message = changed ? `${email} is an admin now.` : `${email} is an admin already.`;
  return { lines: [message], json: { success: true, email, changed, message } };
}

async function revoke(db: Database, config: Config, email: string): Promise<CommandOutput> {
  const changed = await revokeAdmin(db, { email, actor: OPERATOR, clock: systemClock });
  const result = changed ? `${email} is a member now.` : `${email} is not an admin.`;
  const message = config.adminEmails.includes(email)
    ? `${result} But ADMIN_EMAILS names this address and makes it an admin again at the next sign-in: remove it there.`
    : result;
  return { lines: [message], json: { success: true, email, changed, message } };
}

async function list(db: Database): Promise<CommandOutput> {
  const admins = await listAdmins(db);
  const rows = admins.map(({ email, username, created_at }) => [email, username, created_at]);
  return {
    lines: [
      rows.length === 0
        ? 'There is no admin yet.'
        : formatTable([['email', 'name', 'account since'], ...rows]),
    ],
    json: {
      success: true,
      admins: admins.map(({ email, username, created_at }) => ({ email, username, created_at })),
    },
  };
}

/** `npm run admin -- grant EMAIL | revoke EMAIL | list` */
async function main(args: string[], environment: Environment): Promise<CommandOutput> {
  const { values, positionals } = readArguments(args, { options: {}, usage: USAGE });
  const [command, address, ...rest] = positionals;
  if (values.help || command === undefined) return showUsage(USAGE);
  const takesAddress = command === 'grant' || command === 'revoke';
  if ((!takesAddress && command !== 'list') || rest.length > 0 || (address !== undefined && !takesAddress))
    throw new UsageError(USAGE);
  const email = takesAddress ? readEmail(address, USAGE) : '';
  return withDatabase(environment, (db, config) => {
    if (command === 'grant') return grant(db, email);
    return command === 'revoke' ? revoke(db, config, email) : list(db);
  });
}

export const tool = createTool(main);
