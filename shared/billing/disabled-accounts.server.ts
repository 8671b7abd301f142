import { sql } from 'kysely';
import { DomainError } from '../errors';
import type { Payer, PaymentsContext } from '../payments/payments-context';
import { withCustomer } from '../payments/customers.server';
import type { SyncResult } from '../payments/sync-with-stripe.server';
import { DELETED_REASON, DISABLED_REASON } from '../subscriptions/cancel-reason';
import { endSubscription } from '../subscriptions/end-subscription.server';
import { cancelSubscription } from '../subscriptions/manage-subscription.server';
import type { StoredSubscription } from '../subscriptions/membership';
import { endAttempt } from '../subscriptions/subscription-attempts.server';
import type { Task } from './run-tasks.server';

async function endAtStripe(
  context: PaymentsContext,
  { account, row, atOnce }: { account: Payer; row: StoredSubscription; atOnce: boolean },
): Promise<SyncResult> {
  const { stripe_subscription_id: stripeId } = row;
  try {
    if (row.status === 'creating' || row.status === 'incomplete')
      await withCustomer(context, account, (step) =>
        endAttempt(context, { ...step, accountId: account.id }, row),
      );
    else if (atOnce && stripeId !== null)
      await withCustomer(context, account, (step) =>
        endSubscription(context, step, {
          stripeSubscriptionId: stripeId,
          comment: DELETED_REASON,
          evenPaid: true,
        }),
      );
    else await cancelSubscription(context, { account, reason: DISABLED_REASON });
    return 'changed';
  } catch (error) {
    // It is paid, being paid or has ended: its row says so by the next run.
    if (!(error instanceof DomainError) || error.kind !== 'Conflict') throw error;
    return 'unchanged';
  }
}

/**
 * Tasks that end what Stripe may still charge disabled accounts for: attempts that are open, so that they cannot be paid,
 * and the renewal of a subscription whose payment arrived after its account was disabled, or which could not be cancelled
 * then. The subscription of an account that is to be deleted ends at once, whatever is paid.
 */
export async function disabledAccountTasks(
  { db, ...rest }: PaymentsContext,
  accountId: string | undefined,
): Promise<Task[]> {
  let query = db
    .selectFrom('subscriptions as subscription')
    .innerJoin('users as account', 'account.id', 'subscription.user_id')
    .selectAll('subscription')
    .select(['account.email', 'account.deletion_requested_at as closingAt'])
    // A literal, so that SQLite uses the partial index of unfinished rows.
    .where(sql<boolean>`subscription.status not in ('abandoned', 'incomplete_expired', 'canceled')`)
    .where('account.disabled_at', 'is not', null)
    .where('subscription.missing_since', 'is', null)
    .where(({ or, and, eb }) =>
      or([
        eb('account.deletion_requested_at', 'is not', null),
        and([
          eb('subscription.status', 'not in', ['unpaid', 'paused']),
          eb('subscription.cancel_at_period_end', '=', 0),
          eb('subscription.cancel_at', 'is', null),
        ]),
      ]),
    );
  if (accountId !== undefined) query = query.where('account.id', '=', accountId);
  return (await query.execute()).map(({ email, closingAt, ...row }) => ({
    subject: `subscription ${row.id} of a disabled account`,
    run: () =>
      endAtStripe({ db, ...rest }, { account: { id: row.user_id, email }, row, atOnce: closingAt !== null }),
  }));
}
