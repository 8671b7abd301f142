import { sql } from 'kysely';
import pLimit from 'p-limit';
import { DAY, fromIso, MINUTE, SECOND, toIso } from '../clock';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { callStripe, stripeCodeOf } from '../payments/stripe-errors';
import type { SyncResult } from '../payments/sync-with-stripe.server';
import { endUnpaidSubscription } from '../subscriptions/end-subscription.server';
import type { StoredSubscription } from '../subscriptions/membership';
import { syncSubscription, syncSubscriptionCheckout } from '../subscriptions/sync/sync-subscription.server';
import type { StoredPurchase } from '../tokens/stripe-payment.server';
import { syncPurchase, syncPurchaseCheckout } from '../tokens/sync-purchase.server';
import { listCustomers, listDeletedCustomers, listPaid, listTakenBack } from './list-to-reconcile.server';
import { syncCustomer } from './sync-customer.server';

const PENDING_AFTER_MS = 30 * SECOND;
/** An attempt without an object at Stripe after this time was interrupted before anything could be paid. */
const INTERRUPTED_AFTER_MS = 10 * MINUTE;
/** A payment that is not made within this time is canceled, like Stripe's Checkout sessions, which expire then. */
const PURCHASE_LIFETIME_MS = DAY;
const CONCURRENCY = 4;

export interface ReconcileReport {
  read: number;
  changed: number;
  failed: number;
}

export interface ReconcileOptions {
  /** Limits it to one account, and reads all of its pending rows at once. */
  accountId?: string;
  /** Called for each row that could not be read or written. */
  onFault?: (error: unknown, subject: string) => void;
}

interface Task {
  /** Names the row in a log line. */
  subject: string;
  run(): Promise<SyncResult>;
}

/** Runs the tasks, a few at once. When Stripe does not answer, the remaining ones wait for the next run. */
async function runAll(tasks: readonly Task[], { onFault }: ReconcileOptions): Promise<ReconcileReport> {
  const report = { read: 0, changed: 0, failed: 0 };
  const limit = pLimit(CONCURRENCY);
  let isUnavailable = false;
  await Promise.all(
    tasks.map(({ subject, run }) =>
      limit(async () => {
        if (isUnavailable) return;
        try {
          const result = await run();
          report.read += 1;
          if (result === 'changed') report.changed += 1;
        } catch (error) {
          report.failed += 1;
          if (error instanceof DomainError && error.code === 'payment_service_failed') isUnavailable = true;
          onFault?.(error, subject);
        }
      }),
    ),
  );
  return report;
}

/**
 * Whether a pending row is to be read now: first after 30 s, then less and less often, because a dialog that was left open
 * stays pending for a day.
 */
function isDue(
  { created_at, synced_at }: Pick<StoredPurchase, 'created_at' | 'synced_at'>,
  now: number,
): boolean {
  const created = fromIso(created_at);
  if (synced_at === null) return now - created >= PENDING_AFTER_MS;
  const read = fromIso(synced_at);
  return now - read >= Math.max(PENDING_AFTER_MS, (read - created) / 4);
}

const isInterrupted = ({ created_at }: { created_at: string }, now: number): boolean =>
  now - fromIso(created_at) >= INTERRUPTED_AFTER_MS;

async function abandon(
  { db, clock }: PaymentsContext,
  table: 'token_purchases' | 'subscriptions',
  id: string,
): Promise<SyncResult> {
  await inTransaction(db, (trx) => {
    const change = { status: 'abandoned' as const, updated_at: toIso(clock.now()) };
    return table === 'subscriptions'
      ? trx
          .updateTable('subscriptions')
          .set(change)
          .where('id', '=', id)
          .where('status', '=', 'creating')
          .where('stripe_subscription_id', 'is', null)
          .execute()
      : trx
          .updateTable('token_purchases')
          .set(change)
          .where('id', '=', id)
          .where('status', '=', 'pending')
          .where('stripe_payment_intent_id', 'is', null)
          .execute();
  });
  return 'changed';
}

/** Reads a pending payment, and cancels one that the member has not finished for a day. */
async function finishPayment(
  context: PaymentsContext,
  row: StoredPurchase,
  intent: string,
): Promise<SyncResult> {
  const result = await syncPurchase(context, intent);
  if (result === 'changed' || context.clock.now() - fromIso(row.created_at) < PURCHASE_LIFETIME_MS)
    return result;
  const { client } = requireStripe(context);
  try {
    await callStripe(() => client.paymentIntents.cancel(intent));
  } catch (error) {
    // Stripe refuses because it is being processed or has just been paid.
    if (stripeCodeOf(error) === null) throw error;
  }
  return syncPurchase(context, intent);
}

function purchaseTask(context: PaymentsContext, row: StoredPurchase): Task | null {
  const { id, stripe_payment_intent_id: intent, stripe_checkout_session_id: session } = row;
  const subject = `purchase ${id}`;
  if (intent !== null) return { subject, run: () => finishPayment(context, row, intent) };
  if (session !== null) return { subject, run: () => syncPurchaseCheckout(context, session) };
  return isInterrupted(row, context.clock.now())
    ? { subject, run: () => abandon(context, 'token_purchases', id) }
    : null;
}

function subscriptionTask(context: PaymentsContext, row: StoredSubscription): Task | null {
  const { id, stripe_subscription_id: stripeId, stripe_checkout_session_id: session } = row;
  const subject = `subscription ${id}`;
  if (stripeId !== null)
    return {
      subject,
      run: () =>
        hasGraceEnded(row, context.clock.now())
          ? endUnpaidSubscription(context, id)
          : syncSubscription(context, stripeId),
    };
  if (session !== null) return { subject, run: () => syncSubscriptionCheckout(context, session) };
  return isInterrupted(row, context.clock.now())
    ? { subject, run: () => abandon(context, 'subscriptions', id) }
    : null;
}

const hasGraceEnded = ({ grace_until }: StoredSubscription, now: number): boolean =>
  grace_until !== null && fromIso(grace_until) <= now;

/**
 * Reads from Stripe, by the functions that apply events, what has been pending for over 30 seconds: purchases, attempts to
 * subscribe, and unpaid renewals. Gives up attempts that were interrupted, ends subscriptions whose grace has ended, and
 * voids what ended subscriptions still owe: a payment would buy nothing.
 * Does nothing while payment is switched off.
 */
export async function reconcilePending(
  context: PaymentsContext,
  options: ReconcileOptions = {},
): Promise<ReconcileReport> {
  if (context.stripe === null) return { read: 0, changed: 0, failed: 0 };
  const { accountId } = options;
  const now = context.clock.now();
  let purchases = context.db
    .selectFrom('token_purchases')
    .selectAll()
    // Literals, so that SQLite uses the partial index of pending rows.
    .where(sql<boolean>`status = 'pending'`);
  let debts = context.db
    .selectFrom('subscription_invoices')
    .innerJoin('subscriptions', 'subscriptions.id', 'subscription_invoices.subscription_id')
    .select('subscriptions.id')
    .distinct()
    // Literals, so that SQLite uses the partial index of open invoices.
    .where(sql<boolean>`subscription_invoices.status = 'open'`)
    .where('subscriptions.status', '=', 'canceled');
  let subscriptions = context.db
    .selectFrom('subscriptions')
    .selectAll()
    // Literals, so that SQLite uses the partial index of unfinished rows.
    .where(sql<boolean>`status not in ('abandoned', 'incomplete_expired', 'canceled')`)
    .where('status', 'in', ['creating', 'incomplete', 'past_due', 'unpaid']);
  if (accountId !== undefined) {
    purchases = purchases.where('user_id', '=', accountId);
    subscriptions = subscriptions.where('user_id', '=', accountId);
    debts = debts.where('subscriptions.user_id', '=', accountId);
  }
  const due = (row: StoredPurchase | StoredSubscription): boolean =>
    accountId !== undefined || ('grace_until' in row && hasGraceEnded(row, now)) || isDue(row, now);
  const tasks = [
    ...(await purchases.execute()).filter(due).map((row) => purchaseTask(context, row)),
    ...(await subscriptions.execute()).filter(due).map((row) => subscriptionTask(context, row)),
    ...(await debts.execute()).map(({ id }) => ({
      subject: `subscription ${id}`,
      run: () => endUnpaidSubscription(context, id),
    })),
  ];
  return runAll(
    tasks.filter((task) => task !== null),
    options,
  );
}

/**
 * Reads from Stripe every subscription that the database calls active or that has an open invoice, the purchases whose
 * payments were refunded or disputed lately, and the customers that were deleted, so that lost events make no difference.
 * Does nothing while payment is switched off.
 */
export async function reconcileActive(
  context: PaymentsContext,
  options: ReconcileOptions = {},
): Promise<ReconcileReport> {
  if (context.stripe === null) return { read: 0, changed: 0, failed: 0 };
  const { accountId } = options;
  let query = context.db
    .selectFrom('subscriptions')
    .select('stripe_subscription_id as stripeId')
    .where((where) =>
      where.or([
        where('status', 'in', ['trialing', 'active', 'past_due', 'unpaid', 'paused']),
        // An invoice can be paid or voided after its subscription has ended.
        where.exists(
          where
            .selectFrom('subscription_invoices')
            .select('id')
            .whereRef('subscription_id', '=', 'subscriptions.id')
            .where('status', 'in', ['draft', 'open']),
        ),
      ]),
    )
    .where('stripe_subscription_id', 'is not', null);
  if (accountId !== undefined) query = query.where('user_id', '=', accountId);
  const subscriptions = (await query.execute()).flatMap(({ stripeId }) => stripeId ?? []);
  const payments =
    accountId === undefined ? await listTakenBack(context) : await listPaid(context, accountId);
  const customers =
    accountId === undefined ? await listDeletedCustomers(context) : await listCustomers(context, accountId);
  return runAll(
    [
      ...customers.map((customer) => ({ subject: customer, run: () => syncCustomer(context, customer) })),
      ...subscriptions.map((stripeId) => ({
        subject: stripeId,
        run: () => syncSubscription(context, stripeId),
      })),
      ...payments.map((intent) => ({ subject: intent, run: () => syncPurchase(context, intent) })),
    ],
    options,
  );
}
