import type { Transaction } from 'kysely';
import { writeAudit } from '../audit/write-audit';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import type { Account, Session } from './account';
import type { AccountsContext } from './accounts-context';
import { createSession } from './sessions';

/** A new session. The token is returned only here. */
export interface SignedIn {
  kind: 'session';
  token: string;
  session: Session;
  account: Account;
}

type ListContext = Pick<AccountsContext, 'config'>;

/** The operator's list that makes this account an admin, or null. */
function listThatGrants({ config }: ListContext, account: Account): string | null {
  if (config.adminEmails.includes(account.email)) return 'ADMIN_EMAILS';
  return account.discord_id !== null && config.adminDiscordIds.includes(account.discord_id)
    ? 'ADMIN_DISCORD_IDS'
    : null;
}

async function grantByList(
  trx: Transaction<Schema>,
  context: ListContext,
  account: Account,
  now: number,
): Promise<Account> {
  const list = account.role === 'admin' ? null : listThatGrants(context, account);
  if (list === null) return account;
  await writeAudit(
    trx,
    { actor: { userId: null }, action: 'admin.grant', subject: account.id, details: { by: list } },
    now,
  );
  return trx
    .updateTable('users')
    .set({ role: 'admin', updated_at: toIso(now) })
    .where('id', '=', account.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Completes every kind of sign-in: grants the admin role by the operator's lists, creates a session and writes the
 * audit log.
 */
export async function openSession(
  trx: Transaction<Schema>,
  context: Pick<AccountsContext, 'config' | 'clock'>,
  {
    account,
    by,
    userAgent,
  }: { account: Account; by: 'password' | 'code' | 'discord'; userAgent: string | null },
): Promise<SignedIn> {
  const now = context.clock.now();
  const granted = await grantByList(trx, context, account, now);
  const { token, session } = await createSession(trx, {
    accountId: account.id,
    userAgent,
    clock: context.clock,
  });
  await writeAudit(
    trx,
    {
      actor: { userId: account.id },
      action: 'account.sign_in',
      subject: account.id,
      details: { by, session: session.id },
    },
    now,
  );
  return { kind: 'session', token, session, account: granted };
}
