import { sql } from 'kysely';
import { DAY, fromIso, HOUR, MINUTE, SECOND, toIso } from '../clock';
import { inTransaction } from '../database/transaction';
import { clearFault, listFaults, recordFault, type PaymentFault } from '../payments/payment-faults';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { JOB_LIFETIME_MS, withDeadline } from '../payments/step-deadline.server';
import { probeKey, reportRefusal, requireOurAccount } from '../payments/stripe-account.server';
import { callStripe, describePaymentError, findKeyRefusal, stripeCodeOf } from '../payments/stripe-errors';
import type { SyncResult } from '../payments/sync-with-stripe.server';
import { endUnpaidSubscription } from '../subscriptions/end-subscription.server';
import type { StoredSubscription } from '../subscriptions/membership';
import { syncSubscription, syncSubscriptionCheckout } from '../subscriptions/sync/sync-subscription.server';
import type { StoredPurchase } from '../tokens/stripe-payment.server';
import { syncPurchase, syncPurchaseCheckout } from '../tokens/sync-purchase.server';
import { disabledAccountTasks } from './disabled-accounts.server';
import {
  listCustomers,
  listDeletedCustomers,
  listDisputed,
  listPaid,
  listRefunded,
} from './list-to-reconcile.server';
import {
  NOTHING_READ,
  runTasks,
  type ReconcileOptions,
  type ReconcileReport,
  type Task,
} from './run-tasks.server';
import { syncCustomer } from './sync-customer.server';
import { syncPayment } from './sync-payment.server';

const PENDING_AFTER_MS = 30 * SECOND;
/** After this time, an attempt without an object at Stripe was interrupted before anything could be paid. */
const INTERRUPTED_AFTER_MS = 10 * MINUTE;
/** An unfinished payment is cancelled after this time, when Stripe's Checkout sessions expire too. */
const PURCHASE_LIFETIME_MS = DAY;
/** An unpaid subscription is read at least this often. */
const MAX_UNPAID_WAIT_MS = HOUR;

/**
 * Whether to read a pending row now: first after 30 s, then with growing intervals, because an abandoned dialog stays
 * pending for a day. For a subscription, the interval grows with the time since its last change.
 */
function isDue(row: StoredPurchase | StoredSubscription, now: number): boolean {
  const isUnpaid = row.status === 'past_due' || row.status === 'unpaid';
  const since = fromIso(isUnpaid ? row.updated_at : row.created_at);
  if (row.synced_at === null) return now - since >= PENDING_AFTER_MS;
  const read = fromIso(row.synced_at);
  const wait = Math.max(PENDING_AFTER_MS, (read - since) / 4);
  return now - read >= (isUnpaid ? Math.min(wait, MAX_UNPAID_WAIT_MS) : wait);
}

/** Whether the configured key belongs to our account. If not, reports it, and nothing may be read. */
async function isOurAccount(context: PaymentsContext, { onFault }: ReconcileOptions): Promise<boolean> {
  try {
    await withDeadline(JOB_LIFETIME_MS, async () => {
      const access = await requireOurAccount(context);
      const faults = await listFaults(context.db);
      if (faults.some(({ fault }) => fault === 'key')) await probeKey(access);
    });
    for (const fault of ['account', 'key'] as const) await clearFault(context.db, fault);
    return true;
  } catch (error) {
    await reportRefusal(context, error);
    onFault?.(error, 'the account at Stripe');
    return false;
  }
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
  const isYoung = context.clock.now() - fromIso(row.created_at) < PURCHASE_LIFETIME_MS;
  if (result === 'changed' || result === 'missing' || isYoung) return result;
  const { client } = requireStripe(context);
  try {
    await callStripe(() => client.paymentIntents.cancel(intent));
  } catch (error) {
    // Stripe refuses to cancel a payment that is being processed or has just been paid.
    if (stripeCodeOf(error) === null) throw error;
  }
  return syncPurchase(context, intent);
}

function purchaseTask(context: PaymentsContext, row: StoredPurchase): Task | null {
  const { id, stripe_payment_intent_id: intent, stripe_checkout_session_id: session } = row;
  const about = { subject: `purchase ${id}`, wasMissing: row.missing_since !== null };
  if (intent !== null) return { ...about, run: () => finishPayment(context, row, intent) };
  if (session !== null) return { ...about, run: () => syncPurchaseCheckout(context, session) };
  return isInterrupted(row, context.clock.now())
    ? { ...about, run: () => abandon(context, 'token_purchases', id) }
    : null;
}

function subscriptionTask(context: PaymentsContext, row: StoredSubscription): Task | null {
  const { id, stripe_subscription_id: stripeId, stripe_checkout_session_id: session } = row;
  const about = { subject: `subscription ${id}`, wasMissing: row.missing_since !== null };
  if (stripeId !== null)
    return {
      ...about,
      run: () =>
        hasGraceEnded(row, context.clock.now())
          ? endUnpaidSubscription(context, id)
          : syncSubscription(context, stripeId),
    };
  if (session !== null) return { ...about, run: () => syncSubscriptionCheckout(context, session) };
  return isInterrupted(row, context.clock.now())
    ? { ...about, run: () => abandon(context, 'subscriptions', id) }
    : null;
}

/** Whether an unpaid subscription must be ended. One that Stripe does not know waits like other rows. */
const hasGraceEnded = ({ grace_until, missing_since }: StoredSubscription, now: number): boolean =>
  grace_until !== null && missing_since === null && fromIso(grace_until) <= now;

/**
 * Syncs rows that have been pending for over 30 seconds with Stripe: purchases, subscription attempts and unpaid
 * renewals. Gives up attempts that were interrupted, ends subscriptions whose grace has ended, and voids open invoices of
 * ended subscriptions: a payment would buy nothing. Does nothing while payment is switched off.
 */
export async function reconcilePending(
  context: PaymentsContext,
  options: ReconcileOptions = {},
): Promise<ReconcileReport> {
  if (context.stripe === null) return NOTHING_READ;
  if (!(await isOurAccount(context, options))) return { ...NOTHING_READ, failed: 1 };
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
    .where('subscriptions.missing_since', 'is', null)
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
    ...(await disabledAccountTasks(context, accountId)),
  ];
  const found = tasks.filter((task) => task !== null);
  return runTasks(context, found, options);
}

/** The subscriptions that the database calls active or that have an open invoice. */
async function subscriptionTasks(context: PaymentsContext, accountId: string | undefined): Promise<Task[]> {
  let query = context.db
    .selectFrom('subscriptions')
    .select(['stripe_subscription_id as stripeId', 'missing_since'])
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
  return (await query.execute()).flatMap(({ stripeId, missing_since }) =>
    stripeId === null
      ? []
      : {
          subject: stripeId,
          wasMissing: missing_since !== null,
          run: () => syncSubscription(context, stripeId),
        },
  );
}

const paymentTasks = (context: PaymentsContext, intents: readonly string[]): Task[] =>
  intents.map((intent) => ({ subject: intent, run: () => syncPayment(context, intent) }));
const customerTasks = (context: PaymentsContext, customers: readonly string[]): Task[] =>
  customers.map((customer) => ({ subject: customer, run: () => syncCustomer(context, customer) }));

/** The tasks of one of Stripe's lists. A list that cannot be read is reported, and the other parts still run. */
async function listTasks(
  context: PaymentsContext,
  fault: PaymentFault,
  list: () => Promise<Task[]>,
): Promise<{ tasks: Task[]; error: unknown }> {
  try {
    const tasks = await list();
    await clearFault(context.db, fault);
    return { tasks, error: null };
  } catch (error) {
    const why = findKeyRefusal(error)?.reason ?? describePaymentError(error);
    const reason = `The daily comparison could not read Stripe's ${fault}: ${why}`;
    await recordFault(context.db, { fault, reason, now: context.clock.now() });
    return { tasks: [], error };
  }
}

/** The tasks of the daily comparison: subscriptions, and recent refunds, disputes and deletions at Stripe. */
async function reconcileAll(context: PaymentsContext, options: ReconcileOptions): Promise<ReconcileReport> {
  const lists: [PaymentFault, () => Promise<Task[]>][] = [
    ['deleted customers', async () => customerTasks(context, await listDeletedCustomers(context))],
    ['refunds', async () => paymentTasks(context, await listRefunded(context))],
    ['disputes', async () => paymentTasks(context, await listDisputed(context))],
  ];
  const tasks = await subscriptionTasks(context, undefined);
  let failed = 0;
  for (const [fault, list] of lists) {
    const listed = await listTasks(context, fault, list);
    tasks.push(...listed.tasks);
    if (listed.error === null) continue;
    failed += 1;
    options.onFault?.(listed.error, `the list of ${fault}`);
  }
  const unique = [...new Map(tasks.map((task) => [task.subject, task])).values()];
  const report = await runTasks(context, unique, options);
  if (report.stopped !== true && report.failed === 0)
    for (const fault of ['missing', 'permission'] as const) await clearFault(context.db, fault);
  return { ...report, failed: report.failed + failed };
}

/**
 * Reads from Stripe every subscription that is active in the database or has an open invoice, recently refunded or
 * disputed payments, and deleted customers, in case an event was lost. If a part fails, it is counted and reported to the
 * admins, and the others continue. Does nothing while payment is switched off.
 */
export async function reconcileActive(
  context: PaymentsContext,
  options: ReconcileOptions = {},
): Promise<ReconcileReport> {
  if (context.stripe === null) return NOTHING_READ;
  if (!(await isOurAccount(context, options))) return { ...NOTHING_READ, failed: 1 };
  const { accountId } = options;
  if (accountId === undefined) return reconcileAll(context, options);
  const tasks = [
    ...customerTasks(context, await listCustomers(context, accountId)),
    ...(await subscriptionTasks(context, accountId)),
    ...paymentTasks(context, await listPaid(context, accountId)),
  ];
  return runTasks(context, tasks, options);
}
