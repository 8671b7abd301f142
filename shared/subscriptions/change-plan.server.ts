import type Stripe from 'stripe';
import { DomainError } from '../errors';
import { formatPounds } from '../money';
import { requireStripe, type Payer, type PaymentsContext } from '../payments/payments-context';
import { callStripe, mayRepeat } from '../payments/stripe-errors';
import {
  describeChange,
  readCurrent,
  withCurrent,
  WITH_SECRET,
  type ChangedSubscription,
  type Current,
} from './current-subscription.server';
import { isCanceling, isRenewalUnpaid } from './membership';
import { requireSellablePlan } from './packages/subscription-packages';
import {
  closeQuote,
  createQuote,
  findOpenQuote,
  findQuoteFor,
  isUpToDate,
  type PlanChange,
  type PlanQuote,
  type StoredQuote,
} from './plan-quotes.server';
import type { Step } from './subscription-attempts.server';
import { applySubscription } from './sync/sync-subscription.server';

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
  if (isCanceling(row))
    throw new DomainError('Conflict', {
      code: 'cancelling',
      message: 'Your subscription is cancelled. Reactivate it first, then change the plan.',
    });
  if (row.status === 'past_due' || row.status === 'unpaid')
    throw new DomainError('Conflict', {
      code: 'payment_due',
      message: `The last ${isRenewalUnpaid(row) ? 'renewal' : 'payment'} is not paid yet. Pay it first, then change the plan.`,
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
    await createQuote(context, change);
    const now = context.clock.now();
    const quote = await findOpenQuote(context.db, { accountId: account.id, newPackageId, now });
    if (quote === null) throw new Error('the new quote is not open');
    return quote;
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

/** The client secret when this quote was confirmed before and its payment waits; null otherwise. */
async function findPendingPayment(
  context: PaymentsContext,
  { subscription, plan }: PlanChange,
  quote: StoredQuote | null,
): Promise<string | null> {
  const prices = subscription.pending_update?.subscription_items?.map(({ price }) => price.id) ?? [];
  if (quote?.status !== 'used' || !prices.includes(plan.stripe_price_id)) return null;
  const { client } = requireStripe(context);
  return pendingSecret(await callStripe(() => client.subscriptions.retrieve(subscription.id, WITH_SECRET)));
}

/** Asks Stripe for the change. A repeated request with the same quote has the same idempotency key. */
async function requestChange(
  context: PaymentsContext,
  { subscription, item, plan }: PlanChange,
  quote: StoredQuote,
): Promise<Stripe.Response<Stripe.Subscription>> {
  const { client } = requireStripe(context);
  try {
    return await callStripe(() =>
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
    // The next try needs another quote, which has another key.
    if (!mayRepeat(error)) await closeQuote(context, quote, 'replaced');
    throw error;
  }
}

/**
 * Changes the plan for the amount of the open quote. `quoteId`: the quote that a page showed. Throws `Conflict` with
 * code `quote_expired` when there is no such quote any more or Stripe's amount differs; a fresh quote is stored then.
 * With a client secret, the payment waits for the member: the plan changes when it is confirmed.
 */
export async function changePlan(
  context: PaymentsContext,
  { account, newPackageId, quoteId }: { account: Payer; newPackageId: string; quoteId?: string },
): Promise<ChangedSubscription & { clientSecret?: string }> {
  return withCurrent(context, account, async (current, step) => {
    const change = await requireChange(context, current, { newPackageId, step });
    const quote = await findQuoteFor(context, change, quoteId);
    const waiting = 'Your bank needs your confirmation. Your plan changes once the payment is complete.';
    const clientSecret = await findPendingPayment(context, change, quote);
    if (clientSecret !== null)
      return { ...(await describeChange(context, account, () => waiting)), clientSecret };

    if (quote === null || !(await isUpToDate(context, change, quote))) {
      // The subscription may have changed since it was read.
      const fresh = await createQuote(context, await requireChange(context, current, { newPackageId, step }));
      throw new DomainError('Conflict', {
        code: 'quote_expired',
        message: `The price of this change is now different: ${describeDue(fresh)}. Please check it and confirm again.`,
      });
    }
    const subscription = await requestChange(context, change, quote);
    await closeQuote(context, quote, 'used');
    await applySubscription(context, subscription, step.lease);
    const secret = pendingSecret(subscription);
    if (secret !== null)
      return { ...(await describeChange(context, account, () => waiting)), clientSecret: secret };
    return describeChange(context, account, () => `Your plan is now ${change.plan.name}.`);
  });
}
