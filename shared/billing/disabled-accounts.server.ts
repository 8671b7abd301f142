import { sql } from 'kysely';
import { DomainError } from '../errors';
import type { Payer, PaymentsContext } from '../payments/payments-context';
import { withCustomer } from '../payments/customers.server';
import type { SyncResult } from '../payments/sync-with-stripe.server';
import { DISABLED_REASON } from '../subscriptions/cancel-reason';
import { cancelSubscription } from '../subscriptions/manage-subscription.server';
import type { StoredSubscription } from '../subscriptions/membership';
import { endAttempt } from '../subscriptions/subscription-attempts.server';
import type { Task } from './run-tasks.server';

async function endAtStripe(
  context: PaymentsContext,
  { account, row }: { account: Payer; row: StoredSubscription },
): Promise<SyncResult> {
  try {
    if (row.status === 'creating' || row.status === 'incomplete')
      await withCustomer(context, account, (step) =>
        endAttempt(context, { ...step, accountId: account.id }, row),
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
 * then.
 */
export async function disabledAccountTasks(
  { db, ...rest }: PaymentsContext,
  accountId: string | undefined,
): Promise<Task[]> {
  let query = db
    .selectFrom('subscriptions as subscription')
    .innerJoin('users as account', 'account.id', 'subscription.user_id')
    .selectAll('subscription')
    .select('account.email')
    // A literal, so that SQLite uses the partial index of unfinished rows.
    .where(sql<boolean>`subscription.status not in ('abandoned', 'incomplete_expired', 'canceled')`)
    .where('subscription.status', 'in', ['creating', 'incomplete', 'trialing', 'active', 'past_due'])
    .where('account.disabled_at', 'is not', null)
    .where('subscription.missing_since', 'is', null)
    .where('subscription.cancel_at_period_end', '=', 0)
    .where('subscription.cancel_at', 'is', null);
  if (accountId !== undefined) query = query.where('account.id', '=', accountId);
  return (await query.execute()).map(({ email, ...row }) => ({
    subject: `subscription ${row.id} of a disabled account`,
    run: () => endAtStripe({ db, ...rest }, { account: { id: row.user_id, email }, row }),
  }));
}
