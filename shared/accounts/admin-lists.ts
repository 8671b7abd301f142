import { writeAudit } from '../audit/write-audit';
import { toIso } from '../clock';
import type { Config } from '../config.server';
import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import type { Account } from './account';

/** The operator's lists of admins. */
export type AdminLists = Pick<Config, 'adminEmails' | 'adminDiscordIds'>;

/** The operator's list that names this account, or null. */
export function listThatNames(
  { adminEmails, adminDiscordIds }: AdminLists,
  account: Pick<Account, 'email' | 'discord_id'>,
): 'ADMIN_EMAILS' | 'ADMIN_DISCORD_IDS' | null {
  if (adminEmails.includes(account.email)) return 'ADMIN_EMAILS';
  return account.discord_id !== null && adminDiscordIds.includes(account.discord_id)
    ? 'ADMIN_DISCORD_IDS'
    : null;
}

/**
 * Grants the admin role to an account that the operator's lists name, and ends a role that they granted to an account that
 * they no longer name. A role that the admin command granted stays. Returns the account as it is now.
 */
export async function applyAdminLists(
  trx: Transaction,
  lists: AdminLists,
  { account, now }: { account: Account; now: number },
): Promise<Account> {
  const list = listThatNames(lists, account);
  const grants = list !== null && account.role !== 'admin';
  const ends = list === null && account.role === 'admin' && account.admin_granted_by === 'environment';
  if (!grants && !ends) return account;
  await writeAudit(
    trx,
    {
      actor: { userId: null },
      action: grants ? 'admin.grant' : 'admin.revoke',
      subject: account.id,
      details: { by: list ?? 'environment' },
    },
    now,
  );
  return trx
    .updateTable('users')
    .set({
      role: grants ? 'admin' : 'member',
      admin_granted_by: grants ? 'environment' : null,
      updated_at: toIso(now),
    })
    .where('id', '=', account.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Ends the roles of admins whom the operator's lists no longer name, at each start. Returns the ids of their accounts. */
export function endUnlistedAdmins(
  db: Database,
  { lists, now }: { lists: AdminLists; now: number },
): Promise<string[]> {
  return inTransaction(db, async (trx) => {
    const granted = await trx
      .selectFrom('users')
      .selectAll()
      .where('role', '=', 'admin')
      .where('admin_granted_by', '=', 'environment')
      .execute();
    const ended: string[] = [];
    for (const account of granted) {
      const after = await applyAdminLists(trx, lists, { account, now });
      if (after.role !== 'admin') ended.push(account.id);
    }
    return ended;
  });
}
