import type { Kysely } from 'kysely';
import { writeAudit, type Actor } from '../audit/write-audit';
import { toIso, type Clock } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { findAccountByEmail, type Account } from './account';

interface RoleChange {
  /** As `emailField` returns it. */
  email: string;
  actor: Actor;
  clock: Clock;
}

function setRole(
  db: Kysely<Schema>,
  role: Account['role'],
  { email, actor, clock }: RoleChange,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const account = await findAccountByEmail(trx, email);
    if (account === null) {
      throw new DomainError('NotFound', {
        code: 'account_not_found',
        message: `There is no account with the address ${email}. It begins with the first sign-in; ADMIN_EMAILS grants admin rights at that moment.`,
      });
    }
    if (account.role === role) return false;
    const now = clock.now();
    await trx
      .updateTable('users')
      .set({ role, updated_at: toIso(now) })
      .where('id', '=', account.id)
      .execute();
    await writeAudit(
      trx,
      { actor, action: role === 'admin' ? 'admin.grant' : 'admin.revoke', subject: account.id },
      now,
    );
    return true;
  });
}

/**
 * Makes an account an admin, effective with its next request. Returns false if it was one already. Throws `NotFound`.
 */
export function grantAdmin(db: Kysely<Schema>, change: RoleChange): Promise<boolean> {
  return setRole(db, 'admin', change);
}

/**
 * Revokes the admin role, effective with the next request. Returns false if the account was no admin. Throws
 * `NotFound`.
 */
export function revokeAdmin(db: Kysely<Schema>, change: RoleChange): Promise<boolean> {
  return setRole(db, 'member', change);
}

/** Every admin, by address. */
export function listAdmins(db: Kysely<Schema>): Promise<Account[]> {
  return db.selectFrom('users').selectAll().where('role', '=', 'admin').orderBy('email').execute();
}
