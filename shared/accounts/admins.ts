import { writeAudit, type Actor } from '../audit/write-audit';
import { toIso, type Clock } from '../clock';
import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { findAccountByEmail, type Account } from './account';
import { listThatNames, type AdminLists } from './admin-lists';

interface RoleChange {
  /** As `emailField` returns it. */
  email: string;
  actor: Actor;
  clock: Clock;
}

async function requireKnown(trx: Transaction, email: string): Promise<Account> {
  const account = await findAccountByEmail(trx, email);
  if (account !== null) return account;
  throw new DomainError('NotFound', {
    code: 'account_not_found',
    message: `There is no account with the address ${email}. Accounts are created at the first sign-in; ADMIN_EMAILS grants admin rights then.`,
  });
}

/**
 * Makes an account an admin until the command revokes it, effective with its next request; a role that the environment's
 * lists granted now stays without them. Returns false if the command had granted it already. Throws `NotFound`.
 */
export function grantAdmin(db: Database, { email, actor, clock }: RoleChange): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const { id, role, admin_granted_by: grantedBy } = await requireKnown(trx, email);
    if (role === 'admin' && grantedBy !== 'environment') return false;
    const now = clock.now();
    await trx
      .updateTable('users')
      .set({ role: 'admin', admin_granted_by: 'command', updated_at: toIso(now) })
      .where('id', '=', id)
      .execute();
    await writeAudit(trx, { actor, action: 'admin.grant', subject: id, details: { by: 'command' } }, now);
    return true;
  });
}

const NO_LISTS: AdminLists = { adminEmails: [], adminDiscordIds: [] };

/**
 * Revokes the admin role, effective with the next request. Returns false if the account was no admin. Throws `NotFound`,
 * and `Conflict` `admin_listed` for an account that the environment's lists name: they would grant the role again at its
 * next sign-in.
 */
export function revokeAdmin(
  db: Database,
  { email, lists = NO_LISTS, actor, clock }: RoleChange & { lists?: AdminLists },
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const account = await requireKnown(trx, email);
    const list = listThatNames(lists, account);
    if (list !== null) {
      const named = list === 'ADMIN_EMAILS' ? email : `the Discord account of ${email}`;
      throw new DomainError('Conflict', {
        code: 'admin_listed',
        message: `${list} names ${named} and would make it an admin again at the next sign-in. Remove it from ${list} first and restart web and daemon: a role that ${list} granted ends with that, and one that this command granted can be revoked then.`,
      });
    }
    if (account.role !== 'admin') return false;
    const now = clock.now();
    await trx
      .updateTable('users')
      .set({ role: 'member', admin_granted_by: null, updated_at: toIso(now) })
      .where('id', '=', account.id)
      .execute();
    await writeAudit(trx, { actor, action: 'admin.revoke', subject: account.id }, now);
    return true;
  });
}

/** Every admin, by address; disabled ones too. */
export function listAdmins(db: Database): Promise<Account[]> {
  return db.selectFrom('users').selectAll().where('role', '=', 'admin').orderBy('email').execute();
}
