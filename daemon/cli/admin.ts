import { findAccountByEmail, requireAccount, type Account } from '#shared/accounts/account';
import { managedAccountOperations } from '#shared/accounts/account-operations';
import { listThatNames } from '#shared/accounts/admin-lists';
import { grantAdmin, listAdmins, revokeAdmin } from '#shared/accounts/admins';
import type { Config } from '#shared/config.server';
import { createPaymentsContext } from '#shared/payments/create-payments-context.server';
import { accountCommand, type Target } from './account-command';
import { createProgram, defineCommand } from './command-line';
import { formatTime } from './local-time';
import { runOperation } from './run-operation';
import { OPERATOR, formatTable, withDatabase, type CommandOutput } from './terminal';

const NOTES = [
  'A role that ADMIN_EMAILS or ADMIN_DISCORD_IDS granted ends when they no longer name the account: at the next start of web',
  'or daemon, or at its next sign-in. A role that this command granted stays until revoke.',
  '',
];

function printed(message: string, json: Record<string, unknown>): CommandOutput {
  return { lines: [message], json: { success: true, ...json, message } };
}

async function grant({ db, clock, email }: Target): Promise<CommandOutput> {
  const changed = await grantAdmin(db, { email, actor: OPERATOR, clock });
  const message = changed ? `${email} is an admin now, until revoke.` : `${email} is an admin already.`;
  return printed(message, { email, changed });
}

async function revoke({ db, config, clock, email }: Target): Promise<CommandOutput> {
  const changed = await revokeAdmin(db, { email, lists: config, actor: OPERATOR, clock });
  const left = await listAdmins(db);
  const warning = changed && left.length === 0 ? ' It was the last admin: there is none now.' : '';
  const message = changed ? `${email} is a member now.${warning}` : `${email} is not an admin.`;
  return printed(message, { email, changed });
}

async function disable({ db, config, clock, email }: Target): Promise<CommandOutput> {
  const { id } = await requireAccount(db, email);
  const context = { db, clock, payments: createPaymentsContext(db, config, clock) };
  const { result, message } = await runOperation(managedAccountOperations.disable, context, { id });
  const { changed, ended, subscription } = result;
  const failed = subscription.kind === 'failed';
  const { lines, json } = printed(message, { email, changed, ended, subscription });
  return { lines, json: { ...json, success: !failed }, failed };
}

async function enable({ db, clock, email }: Target): Promise<CommandOutput> {
  const { id } = await requireAccount(db, email);
  const context = { db, clock };
  const { result, message } = await runOperation(managedAccountOperations.enable, context, { id });
  return printed(message, { email, changed: result.changed });
}

async function signOut({ db, clock, email }: Target): Promise<CommandOutput> {
  const { id } = await requireAccount(db, email);
  const context = { db, clock };
  const { result, message } = await runOperation(managedAccountOperations.signOut, context, { id });
  return printed(message, { email, ended: result.ended });
}

/** Who granted the role of an admin, as operators read it. */
function sourceOf(config: Config, account: Account): string {
  const list = listThatNames(config, account);
  if (account.admin_granted_by !== 'environment')
    return list === null ? 'npm run admin' : `npm run admin, and named by ${list}`;
  return list ?? 'a list that no longer names it: ends at the next start or sign-in';
}

async function list({ db, config }: Pick<Target, 'db' | 'config'>): Promise<CommandOutput> {
  const accounts = await listAdmins(db);
  const admins = accounts.map((account) => ({
    email: account.email,
    username: account.username,
    created_at: account.created_at,
    granted_by: sourceOf(config, account),
    disabled_at: account.disabled_at,
  }));
  const known = await Promise.all(
    config.adminEmails.map(async (email) => ({ email, account: await findAccountByEmail(db, email) })),
  );
  const waiting = known.filter(({ account }) => account?.role !== 'admin').map(({ email }) => email);
  const rows = admins.map(({ email, username, created_at, granted_by, disabled_at }) => [
    email,
    username,
    formatTime(created_at),
    disabled_at === null ? 'no' : `since ${formatTime(disabled_at)}`,
    granted_by,
  ]);
  return {
    lines: [
      rows.length === 0
        ? 'There is no admin yet.'
        : formatTable([['email', 'name', 'account since', 'disabled', 'granted by'], ...rows]),
      ...waiting.map((email) => `ADMIN_EMAILS names ${email}, who becomes an admin at the next sign-in.`),
    ],
    json: { success: true, admins, ...(waiting.length > 0 && { waiting }) },
  };
}

/** `npm run admin -- grant | revoke | disable | enable | sign-out EMAIL`, and `list` */
export const tool = createProgram({
  start: 'npm run admin --',
  commands: {
    grant: accountCommand('grant', ['make the account with this address an admin, until revoke'], grant),
    revoke: accountCommand('revoke', ['make the account an ordinary member again'], revoke),
    list: defineCommand({
      use: 'list',
      help: ['list the admins, and who granted the role'],
      run: ({ environment }) => withDatabase(environment, (db, config) => list({ db, config })),
    }),
    disable: accountCommand(
      'disable',
      [
        "end the account's sessions, refuse its sign-ins, send it no alerts, stop its subscription",
        'from renewing',
      ],
      disable,
    ),
    enable: accountCommand('enable', ['let a disabled account sign in again'], enable),
    'sign-out': accountCommand('sign-out', ["end the account's sessions; it may sign in again"], signOut),
  },
  notes: NOTES,
});
