import type Stripe from 'stripe';
import { toIso } from '../clock';
import { inTransaction } from '../database/transaction';
import { withCustomer, type CustomerStep } from '../payments/customers.server';
import { LEFT_PARAMETER } from '../payments/left-parameter';
import { ourMetadata } from '../payments/our-objects';
import { requireStripe, type Payer, type PaymentsContext } from '../payments/payments-context';
import { callStripe, findAtStripe, mayRepeat } from '../payments/stripe-errors';
import { findCheckoutSession } from '../payments/sync-with-stripe.server';
import { adoptSubscription, listLostSubscriptions } from './adopt-subscription.server';
import { WITH_SECRET } from './current-subscription.server';
import type { StoredSubscription } from './membership';
import { notSellable, requireSellablePlan, type SellablePlan } from './packages/subscription-packages';
import { syncPackages } from './packages/sync-packages.server';
import {
  abandonAttempt,
  addAttempt,
  endAttempt,
  endEarlierSubscriptions,
  findOpenAttempt,
  refuseWhenPro,
  type Step,
} from './subscription-attempts.server';
import { applySubscription, syncSubscription } from './sync/sync-subscription.server';

export interface StartedSubscription {
  /** The id for `readAttempt`. */
  attemptId: string;
  /** Null: there is nothing to pay, and the subscription is active. */
  clientSecret: string | null;
  amountPence: number;
}

interface Order {
  account: Payer;
  packageId: string;
}

type StartStep = Step & CustomerStep;

/** Runs a step that starts a subscription of an account without Pro, for a plan that can be bought. */
async function withSellablePlan<T>(
  context: PaymentsContext,
  { account, packageId }: Order,
  work: (step: StartStep, plan: SellablePlan) => Promise<T>,
): Promise<T> {
  requireStripe(context);
  const plan = await requireSellablePlan(context.db, packageId);
  await refuseWhenPro(context, account.id);
  return withCustomer(context, account, async (customer) => {
    const step = { accountId: account.id, ...customer };
    await refuseWhenPro(context, account.id);
    await endEarlierSubscriptions(context, step);
    return work(step, plan);
  });
}

/**
 * Runs `work` on the open attempt, if there is one, while Stripe is asked for subscriptions of the account that the
 * database has lost, such as by a restored backup: another one would be charged as well. Their rows are made again. Throws
 * `Conflict` when the account has Pro by one.
 */
async function withOpenAttempt<T>(
  context: PaymentsContext,
  step: StartStep,
  work: (open: StoredSubscription) => Promise<T | null>,
): Promise<T | null> {
  const open = await findOpenAttempt(context, step.accountId);
  const [result, lost] = await Promise.all([
    open === null ? null : work(open),
    step.origin === 'created' ? [] : listLostSubscriptions(context, step),
  ]);
  for (const one of lost) await adoptSubscription(context, one, step.lease);
  if (lost.length > 0) await refuseWhenPro(context, step.accountId);
  return result;
}

/**
 * Sends the request that creates an attempt at Stripe. When Stripe has refused it, a retry with the same idempotency key
 * would get the same answer, so the attempt is abandoned; when the outcome is unknown, the next call repeats the request.
 */
async function createForAttempt<T>(
  context: PaymentsContext,
  attempt: StoredSubscription,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await callStripe(request);
  } catch (error) {
    if (!mayRepeat(error)) await abandonAttempt(context, attempt.id);
    throw error;
  }
}

function metadataOf(attempt: StoredSubscription): ReturnType<typeof ourMetadata> {
  return ourMetadata({ kind: 'subscription', row: attempt.id, user: attempt.user_id });
}

function startedOf(attempt: StoredSubscription, subscription: Stripe.Subscription): StartedSubscription {
  const { latest_invoice: invoice } = subscription;
  if (invoice === null || typeof invoice === 'string')
    throw new Error(`subscription ${subscription.id} has no invoice`);
  return {
    attemptId: attempt.id,
    clientSecret: invoice.confirmation_secret?.client_secret ?? null,
    amountPence: invoice.amount_due,
  };
}

/**
 * Throws `Conflict` when Stripe's price differs from the one that the page has shown, for example after our row was edited
 * by hand. Then the attempt ends, and the plan cannot be bought until the prices agree.
 */
async function refuseOtherPrice(
  context: PaymentsContext,
  step: Step,
  { plan, pence }: { plan: SellablePlan; pence: number | null | undefined },
): Promise<void> {
  if (pence === plan.price_pence) return;
  const attempt = await findOpenAttempt(context, step.accountId);
  if (attempt !== null) await endAttempt(context, step, attempt);
  await syncPackages(context);
  throw notSellable(plan);
}

/** Creates the subscription of an attempt; null when it has ended since, which a repeated request can find. */
async function createIncomplete(
  context: PaymentsContext,
  step: Step,
  { attempt, plan }: { attempt: StoredSubscription; plan: SellablePlan },
): Promise<StartedSubscription | null> {
  const { client } = requireStripe(context);
  const created = await createForAttempt(context, attempt, () =>
    client.subscriptions.create(
      {
        customer: step.stripeCustomerId,
        items: [{ price: plan.stripe_price_id }],
        payment_behavior: 'default_incomplete',
        payment_settings: { save_default_payment_method: 'on_subscription' },
        metadata: { ...metadataOf(attempt) },
        ...WITH_SECRET,
      },
      { idempotencyKey: `subscription-${attempt.id}` },
    ),
  );
  await applySubscription(context, created, step.lease);
  await refuseOtherPrice(context, step, { plan, pence: created.items.data[0]?.price.unit_amount });
  // Stripe replays the answer of the first request, so the current state decides.
  const open = await findOpenAttempt(context, step.accountId);
  return open?.stripe_subscription_id === created.id
    ? startedOf(attempt, created)
    : continueIncomplete(context, step, { ...attempt, stripe_subscription_id: created.id });
}

/** Continues the incomplete subscription of an attempt; null when it has ended. Throws `Conflict` when it is paid. */
async function continueIncomplete(
  context: PaymentsContext,
  step: Step,
  attempt: StoredSubscription & { stripe_subscription_id: string },
): Promise<StartedSubscription | null> {
  const { client } = requireStripe(context);
  const { stripe_subscription_id: id } = attempt;
  const subscription = await findAtStripe(() => client.subscriptions.retrieve(id, WITH_SECRET));
  if (subscription?.status === 'incomplete') return startedOf(attempt, subscription);
  if (subscription === null) {
    await abandonAttempt(context, attempt.id);
    return null;
  }
  await syncSubscription(context, id, { lease: step.lease, object: subscription });
  const { amountPence } = startedOf(attempt, subscription);
  // A first invoice of nothing, such as after a credit, has no secret: the subscription is active at once.
  if (subscription.status === 'active' && amountPence === 0)
    return { attemptId: attempt.id, clientSecret: null, amountPence };
  await refuseWhenPro(context, step.accountId);
  await abandonAttempt(context, attempt.id);
  return null;
}

/**
 * Starts a subscription, or continues the one that is incomplete. Throws `NotFound` (package), `Conflict` (already pro,
 * or the package cannot be sold), `Unavailable`, `BadGateway` (Stripe).
 */
export async function startSubscription(
  context: PaymentsContext,
  order: Order,
): Promise<StartedSubscription> {
  return withSellablePlan(context, order, async (step, plan) => {
    const continued = await withOpenAttempt(context, step, (attempt) =>
      continueAttempt(context, step, { attempt, plan }),
    );
    if (continued !== null) return continued;
    const attempt = await addAttempt(context, { accountId: step.accountId, packageId: plan.id });
    const started = await createIncomplete(context, step, { attempt, plan });
    if (started !== null) return started;
    throw new Error(`the new subscription of attempt ${attempt.id} is not incomplete`);
  });
}

/** Continues an open attempt with the card form if it is of the same plan; otherwise ends it and returns null. */
async function continueAttempt(
  context: PaymentsContext,
  step: Step,
  { attempt, plan }: { attempt: StoredSubscription; plan: SellablePlan },
): Promise<StartedSubscription | null> {
  const { stripe_subscription_id: id } = attempt;
  if (attempt.package_id === plan.id && attempt.stripe_checkout_session_id === null)
    return id === null
      ? createIncomplete(context, step, { attempt, plan })
      : continueIncomplete(context, step, { ...attempt, stripe_subscription_id: id });
  await endAttempt(context, step, attempt);
  return null;
}

/** The Checkout session of an attempt; undefined if it has none for this plan, null if Stripe does not know it. */
async function findCheckout(
  context: PaymentsContext,
  attempt: StoredSubscription,
  plan: SellablePlan,
): Promise<Stripe.Checkout.Session | null | undefined> {
  const { stripe_checkout_session_id: id } = attempt;
  if (id === null || attempt.package_id !== plan.id) return undefined;
  return findCheckoutSession(requireStripe(context), id);
}

/**
 * Starts a subscription on Stripe's hosted Checkout; the page's address, which leads back to the subscription page.
 * Throws as `startSubscription`.
 */
export async function startSubscriptionCheckout(
  context: PaymentsContext,
  order: Order,
): Promise<{ url: string }> {
  const { client } = requireStripe(context);
  return withSellablePlan(context, order, async (step, plan) => {
    const openPage = await withOpenAttempt(context, step, async (open) => {
      const session = await findCheckout(context, open, plan);
      const url = session?.status === 'open' ? session.url : null;
      if (url === null) await endAttempt(context, step, open, session);
      return url;
    });
    if (openPage !== null) return { url: openPage };
    const attempt = await addAttempt(context, { accountId: step.accountId, packageId: plan.id });
    const page = `${context.appUrl}/dashboard/subscription`;
    const session = await createForAttempt(context, attempt, () =>
      client.checkout.sessions.create(
        {
          mode: 'subscription',
          customer: step.stripeCustomerId,
          line_items: [{ price: plan.stripe_price_id, quantity: 1 }],
          metadata: { ...metadataOf(attempt) },
          subscription_data: { metadata: { ...metadataOf(attempt) } },
          // Only after the payment; Stripe.js adds the same `redirect_status`.
          success_url: `${page}?attempt=${attempt.id}&redirect_status=succeeded`,
          cancel_url: `${page}?${LEFT_PARAMETER}=1`,
        },
        { idempotencyKey: `checkout-${attempt.id}` },
      ),
    );
    if (session.url === null) throw new Error(`Checkout session ${session.id} has no page`);
    await inTransaction(context.db, (trx) =>
      trx
        .updateTable('subscriptions')
        .set({ stripe_checkout_session_id: session.id, updated_at: toIso(context.clock.now()) })
        .where('id', '=', attempt.id)
        .execute(),
    );
    await refuseOtherPrice(context, step, { plan, pence: session.amount_subtotal });
    return { url: session.url };
  });
}

/** The state of an account's attempt to subscribe, from the database; null for another account's. */
export async function readAttempt(
  { db }: Pick<PaymentsContext, 'db'>,
  { accountId, attemptId }: { accountId: string; attemptId: string },
): Promise<'waiting' | 'done' | 'failed' | null> {
  const row = await db
    .selectFrom('subscriptions')
    .select('status')
    .where('id', '=', attemptId)
    .where('user_id', '=', accountId)
    .executeTakeFirst();
  switch (row?.status) {
    case undefined:
      return null;
    case 'creating':
    case 'incomplete':
      return 'waiting';
    case 'trialing':
    case 'active':
    case 'past_due':
      return 'done';
    default:
      return 'failed';
  }
}
