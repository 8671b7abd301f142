import type { Selectable } from 'kysely';
import { toIso } from '../clock';
import type { Database, Transaction } from '../database/schema';
import type { SessionsTable, UsersTable } from '../database/tables/accounts';
import { DomainError } from '../errors';
import { newId } from '../ids';
import type { Membership } from '../subscriptions/membership';
import { toUsername } from './account-fields';
import { usernameColumns } from './search-key';

export type Account = Selectable<UsersTable>;
export type Session = Selectable<SessionsTable>;

/** A signed-in user with the session that was used. */
export interface Viewer {
  account: Account;
  session: Session;
  membership: Membership;
}

/** Finds the account of an address as `emailField` returns it. */
export async function findAccountByEmail(db: Database, email: string): Promise<Account | null> {
  const account = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
  return account ?? null;
}

/** The same; throws `NotFound` when there is none. */
export async function requireAccount(db: Database, email: string): Promise<Account> {
  const account = await findAccountByEmail(db, email);
  if (account !== null) return account;
  throw new DomainError('NotFound', {
    code: 'account_not_found',
    message: `There is no account with the address ${email}.`,
  });
}

/** Creates an account whose address is not confirmed yet. */
export async function createAccount(
  trx: Transaction,
  { email, username }: { email: string; username: string },
  now: number,
): Promise<Account> {
  const stamp = toIso(now);
  return trx
    .insertInto('users')
    .values({
      id: newId(),
      email,
      ...usernameColumns(toUsername(username)),
      created_at: stamp,
      updated_at: stamp,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
