import Stripe from 'stripe';
import { toIso } from '../clock';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { newId } from '../ids';
import type { CustomerLease } from '../payments/customer-lease.server';
import { idOf } from '../payments/our-objects';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { callStripe } from '../payments/stripe-errors';
import { findCheckoutSession } from '../payments/sync-with-stripe.server';
import { endSubscription, paymentProcessing, voidOpenInvoices } from './end-subscription.server';
import { findActiveSubscription, type StoredSubscription } from './membership';
import { syncSubscription, syncSubscriptionCheckout } from './sync/sync-subscription.server';

/** A payment step of one account, which holds the account's lease. */
export interface Step {
  accountId: string;
  stripeCustomerId: string;
  lease: CustomerLease;
}

/** Throws `Conflict` when the account has Pro. */
export async function refuseWhenPro({ db, clock }: PaymentsContext, accountId: string): Promise<void> {
  if ((await findActiveSubscription(db, { accountId, now: clock.now() })) === null) return;
  throw new DomainError('Conflict', {
    code: 'already_subscribed',
    message: 'You already have Pro. To switch to another plan, change your plan.',
  });
}

/** The unfinished attempt of an account; the database allows one. */
export async function findOpenAttempt(
  { db }: Pick<PaymentsContext, 'db'>,
  accountId: string,
): Promise<StoredSubscription | null> {
  const row = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('user_id', '=', accountId)
    .where('status', 'in', ['creating', 'incomplete'])
    .executeTakeFirst();
  return row ?? null;
}

/** Adds the row of a new attempt. Idempotency keys at Stripe are made of its id. */
export async function addAttempt(
  { db, clock }: PaymentsContext,
  { accountId, packageId }: { accountId: string; packageId: string },
): Promise<StoredSubscription> {
  const stamp = toIso(clock.now());
  return inTransaction(db, (trx) =>
    trx
      .insertInto('subscriptions')
      .values({
        id: newId(),
        user_id: accountId,
        package_id: packageId,
        status: 'creating',
        created_at: stamp,
        updated_at: stamp,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

/** Marks an attempt as abandoned, unless Stripe's state has closed it already. */
export async function abandonAttempt({ db, clock }: PaymentsContext, rowId: string): Promise<void> {
  await inTransaction(db, (trx) =>
    trx
      .updateTable('subscriptions')
      .set({ status: 'abandoned', updated_at: toIso(clock.now()) })
      .where('id', '=', rowId)
      .where('status', 'in', ['creating', 'incomplete'])
      .execute(),
  );
}

/** Writes Stripe's state of an attempt with this Checkout session, and throws `Conflict` when it is paid. */
async function refuseWhenPaid(
  context: PaymentsContext,
  step: Step,
  { row, session }: { row: StoredSubscription; session: Stripe.Checkout.Session },
): Promise<void> {
  await syncSubscriptionCheckout(context, session.id, { lease: step.lease, session });
  if (row.stripe_subscription_id !== null && row.stripe_subscription_id !== idOf(session.subscription))
    await syncSubscription(context, row.stripe_subscription_id, { lease: step.lease });
  await refuseWhenPro(context, step.accountId);
}

/** Ends a subscription that Stripe knows; throws `Conflict` when it is paid or being paid, after writing Stripe's state. */
async function endUnlessPaid(
  context: PaymentsContext,
  step: Step,
  stripeSubscriptionId: string,
): Promise<void> {
  await endSubscription(context, step, {
    stripeSubscriptionId,
    whenActive: () => refuseWhenPro(context, step.accountId),
  });
}

/**
 * Expires a Checkout session, so that it cannot be paid. Returns the updated session; null: Stripe does not know it.
 * `known`: the session if the caller has read it; only an open one changes.
 */
async function expireSession(
  context: PaymentsContext,
  sessionId: string,
  known?: Stripe.Checkout.Session | null,
): Promise<Stripe.Checkout.Session | null> {
  if (known !== undefined && known?.status !== 'open') return known;
  const { client } = requireStripe(context);
  try {
    return await callStripe(() => client.checkout.sessions.expire(sessionId));
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    // Stripe expires open sessions only.
    const session = await findCheckoutSession({ client }, sessionId);
    if (session?.status === 'open') throw error;
    return session;
  }
}

/**
 * Ends an attempt at Stripe, then in the database, so that it is never open together with the next attempt. Throws
 * `Conflict` when it is paid or being paid. `known`: its Checkout session if the caller has read it.
 */
export async function endAttempt(
  context: PaymentsContext,
  step: Step,
  row: StoredSubscription,
  known?: Stripe.Checkout.Session | null,
): Promise<void> {
  const { stripe_checkout_session_id: sessionId, stripe_subscription_id: subscriptionId } = row;
  const session = sessionId === null ? null : await expireSession(context, sessionId, known);
  if (session?.status === 'complete') {
    await refuseWhenPaid(context, step, { row, session });
    throw paymentProcessing();
  }
  if (subscriptionId !== null) await endUnlessPaid(context, step, subscriptionId);
  await abandonAttempt(context, row.id);
}

/**
 * Ends earlier subscriptions of an account that no longer give Pro but that Stripe may still charge, such as one whose
 * grace is over, and voids the open invoices of ended ones, so that only a new subscription is charged. Throws
 * `Conflict` when one of them is paid or being paid.
 */
export async function endEarlierSubscriptions(context: PaymentsContext, step: Step): Promise<void> {
  const rows = await context.db
    .selectFrom('subscriptions')
    .select('stripe_subscription_id as stripeId')
    .where('user_id', '=', step.accountId)
    .where('status', 'in', ['trialing', 'active', 'past_due', 'unpaid', 'paused'])
    .execute();
  for (const { stripeId } of rows) if (stripeId !== null) await endUnlessPaid(context, step, stripeId);
  await voidOpenInvoices(context, step.lease);
}
