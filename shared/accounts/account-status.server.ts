import { writeAudit, type Actor } from '../audit/write-audit';
import { toIso, type Clock } from '../clock';
import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { requestRoles } from '../roles/request-roles';
import { DISABLED_REASON } from '../subscriptions/cancel-reason';
import { cancelSubscription } from '../subscriptions/manage-subscription.server';
import { readSubscription } from '../subscriptions/read-subscription';
import type { Account } from './account';
import { endSessions, listSessions, revokeSession } from './sessions';

const sessionsOf = (count: number) => (count === 1 ? 'one session' : `${count} sessions`);
const endOf = (count: number) => (count === 0 ? 'it had no sessions' : `${sessionsOf(count)} ended`);

/** The sentence after disabling an account. */
export function describeDisabled({ changed, email, ended, subscription }: DisabledAccount): string {
  const first = changed
    ? `${email} is disabled: it cannot sign in, gets no alerts, and ${endOf(ended)}.`
    : `${email} is already disabled.`;
  switch (subscription.kind) {
    case 'none':
      return first;
    case 'cancelled':
      return `${first} Its subscription does not renew. Refunds are made in Stripe’s dashboard.`;
    case 'failed':
      return `${first} But its subscription could not be cancelled yet: ${subscription.reason} We try again every minute; if it must end now, cancel it in Stripe’s dashboard.`;
  }
}

/** The sentence after enabling an account. */
export function describeEnabled({ changed, email }: { changed: boolean; email: string }): string {
  return changed
    ? `${email} can sign in again. A subscription that was cancelled stays cancelled; the member can reactivate it before it ends.`
    : `${email} is not disabled.`;
}

/** The sentence after ending the sessions of an account. */
export function describeSignedOut({ ended, email }: { ended: number; email: string }): string {
  return ended === 0
    ? `${email} was not signed in anywhere.`
    : `${email} is signed out everywhere: ${sessionsOf(ended)} ended.`;
}

export type PaymentsContext = Parameters<typeof cancelSubscription>[0];

/** An account as admins see it. Times are ISO-8601 UTC. */
export interface ManagedAccount {
  id: string;
  email: string;
  username: string;
  role: Account['role'];
  /** The name of the linked Discord account; null for none. */
  discordUsername: string | null;
  createdAt: string;
  /** Null: the address was never confirmed, so the account cannot sign in. */
  confirmedAt: string | null;
  /** Null: the account is not disabled. */
  disabledAt: string | null;
  /** When it will be deleted; null: no deletion was requested, or it is done. */
  deleteAfter: string | null;
  /** When it was deleted: what is left has no name. */
  deletedAt: string | null;
  tier: 'free' | 'pro';
  /** Where it is signed in; a browser counts once. */
  sessions: number;
}

/** Throws `NotFound` `unknown_user`. */
export async function requireAccountById(db: Database, accountId: string): Promise<Account> {
  const account = await db.selectFrom('users').selectAll().where('id', '=', accountId).executeTakeFirst();
  if (account !== undefined) return account;
  throw new DomainError('NotFound', { code: 'unknown_user', message: 'This user does not exist.' });
}

/** Reads an account for admins. Throws `NotFound` `unknown_user`. */
export async function readManagedAccount(
  db: Database,
  { accountId, clock }: { accountId: string; clock: Clock },
): Promise<ManagedAccount> {
  const account = await requireAccountById(db, accountId);
  const { tier } = await readSubscription(db, { accountId, now: clock.now() });
  const sessions = account.disabled_at === null ? await listSessions(db, { accountId, clock }) : [];
  return {
    id: account.id,
    email: account.email,
    username: account.username,
    role: account.role,
    discordUsername: account.discord_username,
    createdAt: account.created_at,
    confirmedAt: account.email_verified_at,
    disabledAt: account.disabled_at,
    deleteAfter: account.delete_after,
    deletedAt: account.deleted_at,
    tier,
    sessions: sessions.length,
  };
}

/** The refusal of what only makes sense before an account is deleted. */
export function accountDeleted(): DomainError {
  return new DomainError('Conflict', { code: 'account_deleted', message: 'This account is deleted.' });
}

interface StatusChange {
  accountId: string;
  actor: Actor;
  clock: Clock;
}

/** Throws `Conflict` `last_admin` for the only admin who can sign in. */
export async function requireOtherAdmin(trx: Transaction, account: Account): Promise<void> {
  if (account.role !== 'admin') return;
  const other = await trx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .where('id', '<>', account.id)
    .limit(1)
    .executeTakeFirst();
  if (other === undefined)
    throw new DomainError('Conflict', {
      code: 'last_admin',
      message: 'This is the last admin. Make another account an admin first.',
    });
}

/** Throws `Conflict` for the actor's own account and for the last admin: no other admin could enable the account again. */
async function requireDisablable(trx: Transaction, account: Account, actor: Actor): Promise<void> {
  if (account.id === actor.userId)
    throw new DomainError('Conflict', {
      code: 'own_account',
      message: 'You cannot disable your own account. Ask another admin.',
    });
  await requireOtherAdmin(trx, account);
}

/** The outcome for the subscription of a disabled account. */
type SubscriptionEnding =
  | { kind: 'none' }
  /** It ends with the paid period, or has ended; nothing more is charged. */
  | { kind: 'cancelled' }
  /** It renews: Stripe could not be asked. */
  | { kind: 'failed'; reason: string };

async function cancelRenewal(payments: PaymentsContext, account: Account): Promise<SubscriptionEnding> {
  const { db, clock } = payments;
  const { state } = await readSubscription(db, { accountId: account.id, now: clock.now() });
  if (state === 'none') return { kind: 'none' };
  if (state === 'canceling') return { kind: 'cancelled' };
  try {
    await cancelSubscription(payments, { account, reason: DISABLED_REASON });
    return { kind: 'cancelled' };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.code === 'not_subscribed' ? { kind: 'none' } : { kind: 'failed', reason: error.message };
  }
}

interface DisabledAccount {
  /** False: it is already disabled. */
  changed: boolean;
  email: string;
  /** How many sessions have ended. */
  ended: number;
  subscription: SubscriptionEnding;
}

/**
 * Disables an account: it cannot sign in, its sessions end, and it gets no alerts. Then cancels the renewal of its
 * subscription, so that it pays nothing more; when Stripe cannot be reached, the account is disabled all the same, and
 * the minute job tries again (`disabledAccountTasks`). Throws `NotFound`, and `Conflict` `own_account` or `last_admin`.
 */
export async function disableAccount(
  db: Database,
  { accountId, actor, clock, payments }: StatusChange & { payments: PaymentsContext },
): Promise<DisabledAccount> {
  const { account, ended } = await inTransaction(db, async (trx) => {
    const found = await requireAccountById(trx, accountId);
    const sessions = await endSessions(trx, { accountId });
    // Taking the deletion back must not enable what an admin has disabled.
    const isByDeletion = found.disabled_at !== null && found.disabled_at === found.deletion_requested_at;
    if (found.disabled_at !== null && !isByDeletion) return { account: found, ended: sessions };
    await requireDisablable(trx, found, actor);
    const now = clock.now();
    await trx
      .updateTable('users')
      .set({ disabled_at: toIso(now), updated_at: toIso(now) })
      .where('id', '=', accountId)
      .execute();
    await requestRoles(trx, [found.discord_id], now);
    const entry = { actor, action: 'account.disable', subject: accountId, details: { ended: sessions } };
    await writeAudit(trx, entry, now);
    return { account: found, ended: sessions };
  });
  return {
    changed: account.disabled_at === null || account.disabled_at === account.deletion_requested_at,
    email: account.email,
    ended,
    subscription: await cancelRenewal(payments, account),
  };
}

/**
 * Enables a disabled account, which can sign in again, and takes its deletion back. A cancelled subscription stays cancelled; the member can reactivate
 * it until it ends. `changed` is false if the account was not disabled. Throws `NotFound`.
 */
export function enableAccount(
  db: Database,
  { accountId, actor, clock }: StatusChange,
): Promise<{ changed: boolean; email: string }> {
  return inTransaction(db, async (trx) => {
    const {
      email,
      disabled_at: disabledAt,
      deleted_at: deletedAt,
      discord_id,
    } = await requireAccountById(trx, accountId);
    if (deletedAt !== null) throw accountDeleted();
    if (disabledAt === null) return { changed: false, email };
    const now = clock.now();
    await trx
      .updateTable('users')
      .set({ disabled_at: null, deletion_requested_at: null, delete_after: null, updated_at: toIso(now) })
      .where('id', '=', accountId)
      .execute();
    await requestRoles(trx, [discord_id], now);
    await writeAudit(trx, { actor, action: 'account.enable', subject: accountId }, now);
    return { changed: true, email };
  });
}

/** Ends every session of an account, which may sign in again. Throws `NotFound`. */
export function signOutAccount(
  db: Database,
  { accountId, actor, clock }: StatusChange,
): Promise<{ ended: number; email: string }> {
  return inTransaction(db, async (trx) => {
    const { email } = await requireAccountById(trx, accountId);
    const ended = await endSessions(trx, { accountId });
    const entry = { actor, action: 'account.sign_out', subject: accountId, details: { ended } };
    await writeAudit(trx, entry, clock.now());
    return { ended, email };
  });
}

/** Ends one session of an account. Throws `NotFound` when there is none. */
export function endManagedSession(
  db: Database,
  { accountId, sessionId, actor, clock }: StatusChange & { sessionId: string },
): Promise<void> {
  return inTransaction(db, async (trx) => {
    await revokeSession(trx, { accountId, sessionId });
    const entry = { actor, action: 'account.end_session', subject: accountId };
    await writeAudit(trx, entry, clock.now());
  });
}
