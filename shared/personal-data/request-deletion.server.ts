import {
  accountDeleted,
  requireAccountById,
  requireOtherAdmin,
  type PaymentsContext,
} from '../accounts/account-status.server';
import { endSessions } from '../accounts/sessions';
import { writeAudit, type Actor } from '../audit/write-audit';
import { disabledAccountTasks } from '../billing/disabled-accounts.server';
import { DAY, fromIso, toIso, type Clock } from '../clock';
import type { Database } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { openKeepAccountToken, type RequestedDeletion } from '../mail/account-deletion-mail';
import { addMail, type MailOutbox } from '../mail/mails';
import { requestRoles } from '../roles/request-roles';
import type { Keyring } from '../secrets.server';
import { readSubscription } from '../subscriptions/read-subscription';
import { endExports } from './data-exports';

/** How long a deletion can be taken back. */
export const DELETION_WAIT_MS = 7 * DAY;

/** Whole days of Pro that are paid for; a part of a day counts as one. */
export async function readUnusedDays(
  db: Database,
  { accountId, now }: { accountId: string; now: number },
): Promise<number> {
  const { tier, periodEnd, isRenewalUnpaid, isTrial } = await readSubscription(db, { accountId, now });
  if (tier !== 'pro' || periodEnd === null || isRenewalUnpaid || isTrial) return 0;
  return Math.max(0, Math.ceil((fromIso(periodEnd) - now) / DAY));
}

export interface DeletionContext {
  db: Database;
  clock: Clock;
  mail: MailOutbox;
  payments: PaymentsContext;
}

/** A deletion that can be taken back until `deleteAfter` (ISO-8601 UTC). */
export interface PendingDeletion {
  email: string;
  requestedAt: string;
  deleteAfter: string;
  unusedDays: number;
  /** False: the subscription could not be ended yet; the minute job tries again. */
  isSubscriptionEnded: boolean;
}

/** Ends at Stripe what the account may still be charged for. Returns whether nothing is left. */
async function endPayments(payments: PaymentsContext, accountId: string): Promise<boolean> {
  if (payments.stripe === null) return true;
  // The minute job repeats, and logs, what fails here: the deletion has begun.
  for (const { run } of await disabledAccountTasks(payments, accountId)) await run().catch(() => undefined);
  return (await disabledAccountTasks(payments, accountId)).length === 0;
}

/**
 * Begins the deletion of an account: it is disabled and signed out, its devices and archives are removed, its subscription
 * ends at once, and a mail tells the owner how to take it back. After seven days the daemon deletes it. Writes the audit
 * log. A repeat changes nothing. Throws `NotFound`, and `Conflict` `last_admin` or
 * `account_deleted`.
 */
export async function requestDeletion(
  { db, clock, mail, payments }: DeletionContext,
  { accountId, actor }: { accountId: string; actor: Actor },
): Promise<PendingDeletion> {
  const now = clock.now();
  const requestedAt = toIso(now);
  const unusedDays = await readUnusedDays(db, { accountId, now });
  const { pending, due } = await inTransaction(db, async (trx) => {
    const account = await requireAccountById(trx, accountId);
    if (account.deleted_at !== null) throw accountDeleted();
    const { email, delete_after: before, deletion_requested_at: since } = account;
    if (before !== null && since !== null)
      return { pending: { email, requestedAt: since, deleteAfter: before }, due: [] };
    await requireOtherAdmin(trx, account);
    const deleteAfter = toIso(now + DELETION_WAIT_MS);
    await trx
      .updateTable('users')
      .set({
        disabled_at: account.disabled_at ?? requestedAt,
        deletion_requested_at: requestedAt,
        delete_after: deleteAfter,
        updated_at: requestedAt,
      })
      .where('id', '=', accountId)
      .execute();
    const ended = await endSessions(trx, { accountId });
    for (const table of ['push_subscriptions', 'ended_push_subscriptions'] as const)
      await trx.deleteFrom(table).where('user_id', '=', accountId).execute();
    await endExports(trx, accountId, now);
    await requestRoles(trx, [account.discord_id], now);
    const entry = { actor, action: 'account.request_deletion', subject: accountId };
    await writeAudit(trx, { ...entry, details: { ended, unusedDays } }, now);
    const facts = { template: 'account_deletion' as const, accountId, requestedAt, deleteAfter, unusedDays };
    const notice = { to: email, template: facts.template, facts, expiresAt: fromIso(deleteAfter) };
    return {
      pending: { email, requestedAt, deleteAfter },
      due: mail.enabled ? [await addMail(trx, notice, now)] : [],
    };
  });
  mail.notifyQueue(due);
  return { ...pending, unusedDays, isSubscriptionEnded: await endPayments(payments, accountId) };
}

function requireToken(keyring: Keyring, token: string): RequestedDeletion {
  const opened = openKeepAccountToken(keyring, token);
  if (opened !== null) return opened;
  throw new DomainError('NotFound', {
    code: 'keep_account_token_unknown',
    message: 'This link is not complete. Please copy the whole link from the email.',
  });
}

/**
 * Until when the deletion of a link can be taken back (ISO); null once it was taken back or is done. Throws `NotFound`
 * `keep_account_token_unknown`.
 */
export async function findDeletion(
  db: Database,
  { keyring, token }: { keyring: Keyring; token: string },
): Promise<string | null> {
  const { accountId, requestedAt } = requireToken(keyring, token);
  const row = await db
    .selectFrom('users')
    .select('delete_after')
    .where('id', '=', accountId)
    .where('deletion_requested_at', '=', requestedAt)
    .executeTakeFirst();
  return row?.delete_after ?? null;
}

/**
 * Takes the deletion of a link back, until the daemon has carried it out. An account that an admin has disabled stays
 * disabled. Writes the audit log. Repeats change nothing. Throws `NotFound` `keep_account_token_unknown`.
 */
export async function keepAccount(
  db: Database,
  { keyring, token, clock }: { keyring: Keyring; token: string; clock: Clock },
): Promise<void> {
  const { accountId, requestedAt } = requireToken(keyring, token);
  await inTransaction(db, async (trx) => {
    const account = await trx
      .selectFrom('users')
      .select(['disabled_at', 'discord_id'])
      .where('id', '=', accountId)
      .where('deletion_requested_at', '=', requestedAt)
      .executeTakeFirst();
    if (account === undefined) return;
    const now = clock.now();
    await trx
      .updateTable('users')
      .set({
        disabled_at: account.disabled_at === requestedAt ? null : account.disabled_at,
        deletion_requested_at: null,
        delete_after: null,
        updated_at: toIso(now),
      })
      .where('id', '=', accountId)
      .execute();
    await requestRoles(trx, [account.discord_id], now);
    const entry = { actor: { userId: accountId }, action: 'account.keep', subject: accountId };
    await writeAudit(trx, entry, now);
  });
}
