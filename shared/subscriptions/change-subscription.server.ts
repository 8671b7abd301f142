import type Stripe from 'stripe';
import { fromIso } from '../clock';
import { DomainError } from '../errors';
import { formatPounds } from '../money';
import { findCustomer } from '../payments/customers.server';
import { requireStripe, type Payer, type PaymentsContext } from '../payments/payments-context';
import { askStripe, findAtStripe, isKeptFault } from '../payments/stripe-errors';
import { readCurrent, withCurrent, type Current } from './current-subscription.server';
import { findActiveSubscription } from './membership';
import {
  closeQuote,
  createQuote,
  findQuoteFor,
  isStillTrue,
  type PlanChange,
  type StoredQuote,
} from './plan-quotes.server';
import { readSubscription, type SubscriptionRecord } from './read-subscription';
import { endSubscription, type Step } from './subscription-attempts.server';
import { requireSellablePlan } from './packages/subscription-packages';
import { syncSubscription } from './sync/sync-subscription.server';

export interface ChangedSubscription {
  subscription: SubscriptionRecord;
  message: string;
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/London' });

async function changed(
  context: PaymentsContext,
  account: Payer,
  describe: (subscription: SubscriptionRecord) => string,
): Promise<ChangedSubscription> {
  const { tier, expiresAt, cancelAtPeriodEnd, currentPackageId } = await readSubscription(context.db, {
    accountId: account.id,
    now: context.clock.now(),
  });
  const subscription = { tier, expiresAt, cancelAtPeriodEnd, currentPackageId };
  return { subscription, message: describe(subscription) };
}

function dateOf({ expiresAt }: SubscriptionRecord): string {
  return expiresAt === null ? 'the end of the period' : dateFormat.format(fromIso(expiresAt));
}

/**
 * Cancels at the end of the period. After a failed renewal the paid period is over, so then the subscription ends at once
 * and the unpaid invoice is void. Throws `Conflict` without an active subscription.
 */
export async function cancelSubscription(
  context: PaymentsContext,
  { account, reason }: { account: Payer; reason: string | null },
): Promise<ChangedSubscription> {
  const { client } = requireStripe(context);
  return withCurrent(context, account, async ({ stripe_subscription_id: id, status }, step) => {
    const comment = reason ?? '';
    if (status === 'past_due') {
      await endSubscription(context, step, { stripeSubscriptionId: id, comment });
      return changed(context, account, () => 'Your subscription has ended, and nothing more is charged.');
    }
    await askStripe(() =>
      client.subscriptions.update(id, { cancel_at_period_end: true, cancellation_details: { comment } }),
    );
    await syncSubscription(context, id, step.lease);
    return changed(
      context,
      account,
      (now) =>
        `Your subscription is cancelled. You keep Pro until ${dateOf(now)}, and nothing more is charged.`,
    );
  });
}

/** Undoes a cancellation before the period ends. Throws `Conflict` when it is not cancelling. */
export async function reactivateSubscription(
  context: PaymentsContext,
  { account }: { account: Payer },
): Promise<ChangedSubscription> {
  const { client } = requireStripe(context);
  return withCurrent(context, account, async ({ stripe_subscription_id: id, ...row }, step) => {
    if (row.cancel_at_period_end === 0)
      throw new DomainError('Conflict', {
        code: 'not_cancelling',
        message: 'Your subscription is not cancelled: there is nothing to reactivate.',
      });
    await askStripe(() =>
      client.subscriptions.update(id, { cancel_at_period_end: false, cancellation_details: { comment: '' } }),
    );
    await syncSubscription(context, id, step.lease);
    return changed(
      context,
      account,
      (now) => `Your subscription is active again. It renews on ${dateOf(now)}.`,
    );
  });
}

/** What a change of plan costs now. All amounts in pence. */
export interface PlanQuote {
  id: string;
  currentPlan: { name: string };
  newPlan: { name: string; pricePence: number; durationDays: number };
  /** The unused value of the current plan. */
  remainingPence: number;
  /** Due now; negative: a credit. */
  proratedPence: number;
  expiresAt: string;
}

/** Throws `NotFound` for an unknown plan, and `Conflict` when the subscription cannot change to it now. */
async function requireChange(
  context: PaymentsContext,
  current: Current,
  { newPackageId, step }: { newPackageId: string; step: Step },
): Promise<PlanChange> {
  const plan = await requireSellablePlan(context.db, newPackageId);
  const { row, subscription, item } = await readCurrent(context, current, step);
  if (plan.id === row.package_id)
    throw new DomainError('Conflict', { code: 'same_plan', message: `You have ${plan.name} already.` });
  if (row.cancel_at_period_end === 1)
    throw new DomainError('Conflict', {
      code: 'cancelling',
      message: 'Your subscription is cancelled. Reactivate it first, then change the plan.',
    });
  if (row.status === 'past_due')
    throw new DomainError('Conflict', {
      code: 'payment_due',
      message: 'The last renewal is not paid yet. Pay it first, then change the plan.',
    });
  return { row, subscription, item, plan };
}

/** Previews a change and keeps it as a quote for fifteen minutes. Throws `NotFound`, `Conflict` (same plan, not pro). */
export async function previewPlanChange(
  context: PaymentsContext,
  { account, newPackageId }: { account: Payer; newPackageId: string },
): Promise<PlanQuote> {
  return withCurrent(context, account, async (current, step) => {
    const change = await requireChange(context, current, { newPackageId, step });
    const quote = await createQuote(context, change);
    const { name } = await context.db
      .selectFrom('subscription_packages')
      .select('name')
      .where('id', '=', change.row.package_id)
      .executeTakeFirstOrThrow();
    return {
      id: quote.id,
      currentPlan: { name },
      newPlan: {
        name: change.plan.name,
        pricePence: change.plan.price_pence,
        durationDays: change.plan.duration_days,
      },
      remainingPence: quote.remaining_pence,
      proratedPence: quote.prorated_pence,
      expiresAt: quote.expires_at,
    };
  });
}

function describeDue({ prorated_pence: pence }: StoredQuote): string {
  return pence < 0 ? `a credit of ${formatPounds(-pence)} now` : `${formatPounds(pence)} due now`;
}

/** The client secret of a change that Stripe keeps pending until it is paid; null when none is pending. */
function pendingSecret(subscription: Stripe.Subscription): string | null {
  const { pending_update, latest_invoice: invoice } = subscription;
  if (pending_update === null || invoice === null || typeof invoice === 'string') return null;
  return invoice.confirmation_secret?.client_secret ?? null;
}

const WITH_SECRET = { expand: ['latest_invoice.confirmation_secret'] };

/** The client secret when this quote was confirmed before and its payment waits; null otherwise. */
async function findPendingPayment(
  context: PaymentsContext,
  { subscription, plan }: PlanChange,
  quote: StoredQuote | null,
): Promise<string | null> {
  const prices = subscription.pending_update?.subscription_items?.map(({ price }) => price.id) ?? [];
  if (quote?.status !== 'used' || !prices.includes(plan.stripe_price_id)) return null;
  const { client } = requireStripe(context);
  return pendingSecret(await askStripe(() => client.subscriptions.retrieve(subscription.id, WITH_SECRET)));
}

/** Asks Stripe for the change. A repeated request with the same quote has the same idempotency key. */
async function requestChange(
  context: PaymentsContext,
  { subscription, item, plan }: PlanChange,
  quote: StoredQuote,
): Promise<Stripe.Subscription> {
  const { client } = requireStripe(context);
  try {
    return await askStripe(() =>
      client.subscriptions.update(
        subscription.id,
        {
          items: [{ id: item.id, price: plan.stripe_price_id }],
          proration_behavior: 'always_invoice',
          proration_date: quote.proration_at,
          payment_behavior: 'pending_if_incomplete',
          ...WITH_SECRET,
        },
        { idempotencyKey: `change-${quote.id}` },
      ),
    );
  } catch (error) {
    const isUnknown = error instanceof DomainError && error.kind !== 'Invalid' && !isKeptFault(error);
    // Stripe would answer the same key alike, so the next try needs another quote.
    if (!isUnknown) await closeQuote(context, quote, 'replaced');
    throw error;
  }
}

/**
 * Changes the plan for the amount of the open quote. `quoteId`: the quote that a page showed. Throws `Conflict` with code
 * `quote_expired` when there is no such quote any more or Stripe's amount differs; a fresh quote is stored then. With a
 * client secret, the payment waits for the member: the plan changes when it is confirmed.
 */
export async function changePlan(
  context: PaymentsContext,
  { account, newPackageId, quoteId }: { account: Payer; newPackageId: string; quoteId?: string },
): Promise<ChangedSubscription & { clientSecret?: string }> {
  return withCurrent(context, account, async (current, step) => {
    const change = await requireChange(context, current, { newPackageId, step });
    const quote = await findQuoteFor(context, change, quoteId);
    const waiting = 'Your bank or card needs your confirmation. Your plan changes as soon as it is paid.';
    const clientSecret = await findPendingPayment(context, change, quote);
    if (clientSecret !== null) return { ...(await changed(context, account, () => waiting)), clientSecret };

    if (quote === null || !(await isStillTrue(context, change, quote))) {
      const fresh = await createQuote(context, change);
      throw new DomainError('Conflict', {
        code: 'quote_expired',
        message: `The price of this change is new: ${describeDue(fresh)}. Please look at it and confirm again.`,
      });
    }
    const subscription = await requestChange(context, change, quote);
    await closeQuote(context, quote, 'used');
    await syncSubscription(context, current.stripe_subscription_id, step.lease);
    const secret = pendingSecret(subscription);
    if (secret !== null) return { ...(await changed(context, account, () => waiting)), clientSecret: secret };
    return changed(context, account, () => `Your plan is ${change.plan.name} now.`);
  });
}

/** Stripe's customer portal (card, past invoices). `returnTo`: a path of ours. Throws `Conflict` without a customer. */
export async function openPortal(
  context: PaymentsContext,
  { account, returnTo }: { account: Payer; returnTo: string },
): Promise<{ url: string }> {
  const { client } = requireStripe(context);
  const customer = await findCustomer(context.db, { accountId: account.id });
  if (customer === null)
    throw new DomainError('Conflict', {
      code: 'no_customer',
      message: 'There are no payment details yet: you have bought nothing here so far.',
    });
  const { url } = await askStripe(() =>
    client.billingPortal.sessions.create({ customer, return_url: context.appUrl + returnTo }),
  );
  return { url };
}

/** The payment that waits for the member's confirmation (renewal or plan change); null when none does. */
export async function findConfirmation(
  context: PaymentsContext,
  { account }: { account: Payer },
): Promise<{ clientSecret: string; hostedInvoiceUrl: string; amountPence: number } | null> {
  if (context.stripe === null) return null;
  const { client } = context.stripe;
  const { db, clock } = context;
  const row = await findActiveSubscription(db, { accountId: account.id, now: clock.now() });
  const id = row?.stripe_subscription_id ?? null;
  if (id === null) return null;
  const subscription = await findAtStripe(() => client.subscriptions.retrieve(id, WITH_SECRET));
  const invoice = subscription?.latest_invoice ?? null;
  if (invoice === null || typeof invoice === 'string' || invoice.status !== 'open') return null;
  const clientSecret = invoice.confirmation_secret?.client_secret;
  const { hosted_invoice_url: hostedInvoiceUrl } = invoice;
  if (clientSecret === undefined || hostedInvoiceUrl == null) return null;
  return { clientSecret, hostedInvoiceUrl, amountPence: invoice.amount_remaining };
}
