import { emailField } from '#shared/accounts/account-fields';
import { grantAdmin, listAdmins, revokeAdmin } from '#shared/accounts/admins';
import { systemClock } from '#shared/clock';
import { readConfig, type Config } from '#shared/config.server';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { formatTable, reportFailure, UsageError } from './terminal';

const USAGE = `Use: npm run admin -- COMMAND

  grant EMAIL     make the account with this address an admin
  revoke EMAIL    make it a member again
  list            who is an admin`;

/** Typed on the machine itself: there is no account behind it. */
const OPERATOR = { userId: null };

function readEmail(text: string | undefined): string {
  const parsed = emailField.safeParse(text);
  if (!parsed.success) throw new UsageError(`${text ?? 'Nothing'} is no email address.\n\n${USAGE}`);
  return parsed.data;
}

async function grant(db: Database, email: string): Promise<string> {
  const changed = await grantAdmin(db, { email, actor: OPERATOR, clock: systemClock });
  return changed ? `${email} is an admin now.` : `${email} is an admin already.`;
}

async function revoke(db: Database, config: Config, email: string): Promise<string> {
  const changed = await revokeAdmin(db, { email, actor: OPERATOR, clock: systemClock });
  const said = changed ? `${email} is a member now.` : `${email} is no admin.`;
  return config.adminEmails.includes(email)
    ? `${said} But ADMIN_EMAILS names this address and makes it an admin again at the next sign-in: remove it there.`
    : said;
}

async function list(db: Database): Promise<string> {
  const admins = await listAdmins(db);
  if (admins.length === 0) return 'There is no admin yet.';
  return formatTable([
    ['email', 'name', 'account since'],
    ...admins.map(({ email, username, created_at }) => [email, username, created_at]),
  ]);
}

/** `npm run admin -- grant EMAIL | revoke EMAIL | list` */
async function main(): Promise<void> {
  const [command, address, ...rest] = process.argv.slice(2);
  if (command === undefined || command === '--help' || command === '-h') {
    console.log(USAGE);
    return;
  }
  const takesAddress = command === 'grant' || command === 'revoke';
  if ((!takesAddress && command !== 'list') || rest.length > 0 || (address !== undefined && !takesAddress))
    throw new UsageError(USAGE);
  const email = takesAddress ? readEmail(address) : '';
  const config = readConfig();
  const db = openDatabase(config.databaseFile);
  try {
    if (command === 'grant') console.log(await grant(db, email));
    else if (command === 'revoke') console.log(await revoke(db, config, email));
    else console.log(await list(db));
  } finally {
    await db.destroy();
  }
}

main().catch(reportFailure);
