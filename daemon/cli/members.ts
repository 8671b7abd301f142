import { requireAccount } from '#shared/accounts/account';
import { clearBounces, listBounces } from '#shared/accounts/mail-bounces';
import { readManagedAccount } from '#shared/accounts/account-status.server';
import { writeAudit } from '#shared/audit/write-audit';
import type { Clock } from '#shared/clock';
import type { Database } from '#shared/database/schema';
import { inTransaction } from '#shared/database/transaction';
import { createMailOutbox } from '#shared/mail/mails';
import { createPaymentsContext } from '#shared/payments/create-payments-context.server';
import { managedDataOperations } from '#shared/personal-data/personal-data-operations';
import { accountCommand, type Target } from './account-command';
import { quoteValue, readEmail } from './arguments';
import { createProgram, defineCommand } from './command-line';
import { formatTime } from './local-time';
import { runOperation } from './run-operation';
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
        : `Cleared the bounce of ${account.email}: alert emails go there again.`;
  return { lines: [message], json: { success: true, message, cleared } };
}

/** The account data for the operator. Writes the audit log, because it is personal data. */
async function show({ db, clock, email }: Target): Promise<CommandOutput> {
  const { id: accountId } = await requireAccount(db, email);
  const account = await readManagedAccount(db, { accountId, clock });
  await inTransaction(db, (trx) =>
    writeAudit(trx, { actor: OPERATOR, action: 'account.show', subject: accountId }, clock.now()),
  );
  const rows: [string, string | null][] = [
    ['id', account.id],
    ['email', account.email],
    ['name', account.username],
    ['role', account.role],
    ['Discord', account.discordUsername],
    ['plan', account.tier],
    ['created', formatTime(account.createdAt)],
    ['address confirmed', account.confirmedAt && formatTime(account.confirmedAt)],
    ['sessions', String(account.sessions)],
    ['disabled', account.disabledAt && formatTime(account.disabledAt)],
    ['will be deleted', account.deleteAfter && formatTime(account.deleteAfter)],
  ];
  const shown = rows.filter((row): row is [string, string] => row[1] !== null);
  return { lines: [formatTable([['account', ''], ...shown])], json: { success: true, account } };
}

async function requestArchive({ db, config, clock, email }: Target): Promise<CommandOutput> {
  const { id } = await requireAccount(db, email);
  // The daemon's sweep finds the mail and the archive within a second.
  const mail = createMailOutbox({ enabled: config.mail !== null, queues: null, clock });
  const context = { db, clock, mail, queues: null };
  const { result, message } = await runOperation(managedDataOperations.requestExport, context, { id });
  return { lines: [message], json: { success: true, message, ...result } };
}

async function deleteAccount({ db, config, clock, email }: Target): Promise<CommandOutput> {
  const { id } = await requireAccount(db, email);
  const payments = createPaymentsContext(db, config, clock);
  const context = { db, clock, mail: payments.mail, payments };
  const { result, message } = await runOperation(managedDataOperations.requestDeletion, context, { id });
  return { lines: [message], json: { success: true, message, ...result } };
}

/** `npm run members -- show EMAIL | export EMAIL | delete EMAIL | bounces list | bounces clear EMAIL | bounces clear --all` */
export const tool = createProgram({
  start: 'npm run members --',
  commands: {
    show: accountCommand('show', ['show an account'], show),
    export: accountCommand(
      'export',
      ['email the member the link to an archive of their data, as "Download my data" does'],
      requestArchive,
    ),
    delete: accountCommand(
      'delete',
      ['delete an account after seven days, as "Delete my account" does: an email explains how to keep it'],
      deleteAccount,
    ),
    'bounces list': defineCommand({
      use: 'bounces list',
      help: ['list the addresses that the mail server refuses; alert emails no longer go there'],
      run: ({ environment }) => withDatabase(environment, showBounces),
    }),
    'bounces clear': defineCommand({
      use: 'bounces clear EMAIL | --all',
      help: [
        "let alert emails go to an account's address again; with --all to every address, such as after",
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
