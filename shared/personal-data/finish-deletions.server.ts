import type { Account } from '../accounts/account';
import { searchKey } from '../accounts/search-key';
import { writeAudit } from '../audit/write-audit';
import { toIso } from '../clock';
import { bumpContentVersion } from '../content/content-version';
import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { eraseFreed } from '../database/upkeep';
import { markCustomerDeleted } from '../payments/customers.server';
import type { PaymentsContext } from '../payments/payments-context';
import { requireOurAccount } from '../payments/stripe-account.server';
import { findAtStripe } from '../payments/stripe-errors';
import type { Keyring } from '../secrets.server';
import { uploadIdOf } from '../storage/upload-path';
import { markUploadsDeleted } from '../storage/upload-records';
import { endExports } from './data-exports';

/** Replaces the name of a deleted account. */
const DELETED_NAME = 'Deleted account';

/** The disputes that Stripe still decides (docs.stripe.com/api/disputes/object, "status"). */
const OPEN_DISPUTES = ['needs_response', 'under_review', 'warning_needs_response', 'warning_under_review'];

/** Tables whose rows of a member are deleted with the account. The ledger, purchases and subscriptions stay, without name. */
const DELETED_WITH_ACCOUNT = [
  'sessions',
  'passkeys',
  'verification_codes',
  'product_follows',
  'product_suggestions',
  'push_subscriptions',
  'ended_push_subscriptions',
  'member_deliveries',
  'plan_quotes',
  'proxy_assignments',
  'release_downloads',
  'release_download_starts',
  'data_exports',
  // Their reasons may name the member; the ledger keeps the tokens.
  'token_grants',
] as const;

/** Why an account cannot be deleted yet, for the log; null: it can. An open payment or dispute needs its owner. */
async function findObstacle(db: Database, accountId: string): Promise<string | null> {
  const pending = await db
    .selectFrom('token_purchases')
    .select('id')
    .where('user_id', '=', accountId)
    .where('missing_since', 'is', null)
    .where(({ or, eb }) => or([eb('status', '=', 'pending'), eb('dispute_status', '=', 'open')]))
    .executeTakeFirst();
  if (pending !== undefined) return 'a purchase is open or disputed';
  const unfinished = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('user_id', '=', accountId)
    .where('missing_since', 'is', null)
    .where('status', 'not in', ['abandoned', 'incomplete_expired', 'canceled'])
    .executeTakeFirst();
  if (unfinished !== undefined) return 'a subscription has not ended';
  const dispute = await db
    .selectFrom('subscription_reversals')
    .innerJoin('subscriptions', 'subscriptions.id', 'subscription_reversals.subscription_id')
    .select('subscription_reversals.id')
    .where('subscriptions.user_id', '=', accountId)
    .where('kind', '=', 'dispute')
    .where('subscription_reversals.status', 'in', OPEN_DISPUTES)
    .executeTakeFirst();
  return dispute === undefined ? null : 'a payment is disputed';
}

/** Deletes the account's customers at Stripe, which keeps their invoices. Throws while Stripe does not answer. */
async function deleteCustomers(payments: PaymentsContext, accountId: string): Promise<void> {
  if (payments.stripe === null) return;
  const rows = await payments.db
    .selectFrom('payment_customers')
    .select('stripe_customer_id as id')
    .where('user_id', '=', accountId)
    .where('stripe_customer_id', 'is not', null)
    .execute();
  for (const { id } of rows) {
    if (id === null) continue;
    const { client } = await requireOurAccount(payments);
    const customer = await findAtStripe(() => client.customers.retrieve(id));
    if (customer !== null && customer.deleted !== true) await findAtStripe(() => client.customers.del(id));
    await markCustomerDeleted(payments, id);
  }
}

/** Clears the audit log's details about an account, which may name its Discord account. Actor, action and time stay. */
async function clearAuditDetails(trx: Transaction, accountId: string): Promise<void> {
  await trx
    .updateTable('audit_log')
    .set({ details: null })
    .where('subject', '=', accountId)
    .where('details', 'is not', null)
    .execute();
}

/** Deletes what the database holds about an account; its row stays as a pseudonym. */
async function erase(
  trx: Transaction,
  { account, keyring, now }: { account: Account; keyring: Keyring; now: number },
): Promise<void> {
  const { id, email, discord_id: discordId, discord_picture: picture } = account;
  const upload = picture === null ? null : uploadIdOf(picture);
  if (upload !== null) await markUploadsDeleted(trx, [upload], now);
  await endExports(trx, id, now);
  await trx
    .deleteFrom('code_requests')
    .where(({ or, eb }) =>
      or([
        eb('email_hash', 'in', keyring.hashes('email', email)),
        ...(discordId === null ? [] : [eb('proof', '=', `discord:${discordId}`)]),
      ]),
    )
    .execute();
  for (const table of DELETED_WITH_ACCOUNT) await trx.deleteFrom(table).where('user_id', '=', id).execute();
  await trx.deleteFrom('mails').where('recipient', '=', email).execute();
  // The roles were taken when the seven days began.
  if (discordId !== null) await trx.deleteFrom('member_roles').where('discord_id', '=', discordId).execute();
  const { numUpdatedRows: articles } = await trx
    .updateTable('articles')
    .set({ author_id: null, author_username: null })
    .where('author_id', '=', id)
    .executeTakeFirstOrThrow();
  if (articles > 0n) await bumpContentVersion(trx);
  await trx.updateTable('subscriptions').set({ cancel_reason: null }).where('user_id', '=', id).execute();
  await clearAuditDetails(trx, id);
  await trx
    .updateTable('users')
    .set({
      // No mail server accepts this form, so it cannot be registered.
      email: `deleted ${id}`,
      email_verified_at: null,
      username: DELETED_NAME,
      username_search: searchKey(DELETED_NAME),
      discord_search: null,
      role: 'member',
      admin_granted_by: null,
      discord_id: null,
      discord_username: null,
      discord_avatar: null,
      discord_picture: null,
      discord_picture_hash: null,
      password_hash: null,
      password_registration_id: null,
      beta_requested_at: null,
      beta_approved_at: null,
      beta_ever_requested: 0,
      mail_bounced_at: null,
      mail_bounce_reason: null,
      mail_bounce_cleared_at: null,
      browsers_forgotten_at: null,
      preferences: '{}',
      deletion_requested_at: null,
      delete_after: null,
      deleted_at: toIso(now),
      updated_at: toIso(now),
    })
    .where('id', '=', id)
    .execute();
  await writeAudit(trx, { actor: { userId: null }, action: 'account.delete', subject: id }, now);
}

interface DeletionReport {
  /** The ids. */
  deleted: string[];
  /** Those that must wait, with the reason. */
  waiting: { accountId: string; reason: string }[];
  /** Those that failed at Stripe or in the database; the next run tries again. */
  faults: unknown[];
}

/**
 * Deletes the accounts whose seven days are over, each in its own transaction. One with an open payment or dispute waits
 * until that is settled. Safe to run in several processes, and to repeat after a crash.
 */
export async function finishDeletions({
  db,
  payments,
  keyring,
}: {
  db: Database;
  payments: PaymentsContext;
  keyring: Keyring;
}): Promise<DeletionReport> {
  const report: DeletionReport = { deleted: [], waiting: [], faults: [] };
  const dueAt = payments.clock.now();
  const due = await db
    .selectFrom('users')
    .select('id')
    .where('delete_after', 'is not', null)
    .where('delete_after', '<=', toIso(dueAt))
    .execute();
  for (const { id: accountId } of due) {
    try {
      // While payments are switched off, none of them is settled.
      const reason = payments.stripe === null ? null : await findObstacle(db, accountId);
      if (reason !== null) {
        report.waiting.push({ accountId, reason });
        continue;
      }
      await deleteCustomers(payments, accountId);
      const now = payments.clock.now();
      await inTransaction(db, async (trx) => {
        // It may have been withdrawn, or done by another daemon.
        const account = await trx
          .selectFrom('users')
          .selectAll()
          .where('id', '=', accountId)
          .where('delete_after', '<=', toIso(dueAt))
          .executeTakeFirst();
        if (account === undefined) return;
        await erase(trx, { account, keyring, now });
        report.deleted.push(accountId);
      });
    } catch (error) {
      report.faults.push(error);
    }
  }
  if (report.deleted.length > 0) await eraseFreed(db);
  return report;
}
