import { redirect } from '@remix-run/node';
import type { Account } from '#shared/accounts/account';
import { DomainError } from '#shared/errors';
import { findConfirmation } from '#shared/subscriptions/manage-subscription.server';
import type { SubscriptionView } from '#shared/subscriptions/read-subscription';
import { readAttempt } from '#shared/subscriptions/start-subscription.server';
import type { SubscriptionPackage } from '#shared/subscriptions/packages/subscription-packages';
import { LEFT_PARAMETER } from '#shared/payments/left-parameter';
import { findPurchase } from '#shared/tokens/purchases';
import type { TokenPackage } from '#shared/tokens/token-packages';
import { SUBSCRIPTION, TOKENS_TAB, withParameters } from '~/components/payment/addresses';
import type { PaymentOutcome, PaymentStepFacts, StripeForBrowser } from '~/components/payment/payment-facts';
import { serverContext } from '../../http/server/context.server';

/** What the browser needs of Stripe; null while payment is not set up. */
export function stripeForBrowser(): StripeForBrowser | null {
  const { stripe } = serverContext().payments;
  return stripe === null
    ? null
    : { jsUrl: stripe.config.jsUrl, publishableKey: stripe.config.publishableKey };
}

/** The step that buys the tokens of `packageId`. Throws a redirect to `leaveTo` when they cannot be bought. */
export function tokenStep({
  packageId,
  packages,
  subscription,
  hasApp,
  leaveTo,
}: {
  packageId: string;
  packages: readonly TokenPackage[];
  subscription: SubscriptionView | null;
  hasApp: boolean;
  leaveTo: string;
}): PaymentStepFacts {
  const stripe = stripeForBrowser();
  const chosen = packages.find(({ id }) => id === packageId);
  if (stripe === null || chosen === undefined) throw redirect(leaveTo);
  return {
    kind: 'tokens',
    stripe,
    leaveTo,
    packageId,
    tokenCount: chosen.tokenCount,
    amountPence: chosen.pricePence,
    needsPro: subscription?.tier !== 'pro',
    hasApp,
  };
}

/** The step that starts a subscription. Throws a redirect when the member has Pro or the plan cannot be bought. */
export function subscriptionStep({
  packageId,
  plans,
  subscription,
}: {
  packageId: string;
  plans: readonly SubscriptionPackage[];
  subscription: SubscriptionView | null;
}): PaymentStepFacts {
  const stripe = stripeForBrowser();
  const plan = plans.find(({ id }) => id === packageId);
  if (stripe === null || plan?.sellable !== true || subscription?.tier !== 'free')
    throw redirect(SUBSCRIPTION);
  return {
    kind: 'subscription',
    stripe,
    leaveTo: SUBSCRIPTION,
    packageId,
    name: plan.name,
    durationDays: plan.durationDays,
    amountPence: plan.pricePence,
  };
}

/** The step that confirms a renewal or a change, or why Stripe could not be read. Redirects when no payment waits. */
export async function confirmStep({
  account,
}: {
  account: Account;
}): Promise<{ step: PaymentStepFacts; failure: null } | { step: null; failure: string }> {
  const stripe = stripeForBrowser();
  if (stripe === null) throw redirect(SUBSCRIPTION);
  try {
    const waiting = await findConfirmation(serverContext().payments, { account });
    if (waiting === null) throw redirect(SUBSCRIPTION);
    return { step: { kind: 'confirm', stripe, leaveTo: SUBSCRIPTION, ...waiting }, failure: null };
  } catch (error) {
    if (error instanceof DomainError) return { step: null, failure: error.message };
    throw error;
  }
}

const PURCHASE_STATES = { pending: 'waiting', completed: 'done', failed: 'failed' } as const;

const REPORTS = new Map([
  ['succeeded', 'paid'],
  ['failed', 'failed'],
] as const);

/** What Stripe reports in the address that it redirects to (Stripe.js docs, `return_url`). */
const reportOf = (search: URLSearchParams) =>
  REPORTS.get(search.get('redirect_status') as 'succeeded' | 'failed') ?? null;

/** The outcome for a member who came back from Stripe's page without paying; null for others. */
function readLeft(
  search: URLSearchParams,
  { kind, retry }: Pick<PaymentOutcome, 'kind' | 'retry'>,
): PaymentOutcome | null {
  return search.has(LEFT_PARAMETER) ? { kind, state: 'left', reported: null, retry } : null;
}

/** The page that shows the outcome of a purchase of tokens. */
export function purchaseOutcomeAddress(page: string, purchaseId: string): string {
  return withParameters(page, { purchase: purchaseId });
}

/** The page that shows the outcome of an attempt to subscribe. */
export function attemptOutcomeAddress(attemptId: string): string {
  return withParameters(SUBSCRIPTION, { attempt: attemptId });
}

/** The outcome of the purchase that the address names; null for none, or for one of another account. */
export async function readPurchaseOutcome(
  search: URLSearchParams,
  { account, retry }: { account: Account; retry: string },
): Promise<PaymentOutcome | null> {
  const purchaseId = search.get('purchase');
  if (purchaseId === null) return readLeft(search, { kind: 'tokens', retry });
  const purchase = await findPurchase(serverContext().db, { accountId: account.id, purchaseId });
  if (purchase === null) return null;
  const state = PURCHASE_STATES[purchase.status];
  return { kind: 'tokens', state, reported: reportOf(search), retry };
}

/**
 * The outcome of the payment that the address of the subscription page names; null for none. It is read before what the page
 * shows: then a payment that is done is in the balance and the plan, also when Stripe's event arrives during the reading.
 */
export async function readOutcome(
  search: URLSearchParams,
  { account }: { account: Account },
): Promise<PaymentOutcome | null> {
  const attemptId = search.get('attempt');
  if (attemptId === null)
    return search.get('tab') === 'tokens' || search.has('purchase')
      ? readPurchaseOutcome(search, { account, retry: TOKENS_TAB })
      : null;
  const state = await readAttempt(serverContext().payments, { accountId: account.id, attemptId });
  return state === null
    ? null
    : { kind: 'subscription', state, reported: reportOf(search), retry: SUBSCRIPTION };
}

/** The outcome that the subscription itself shows: of a confirmed payment, or of Stripe's page left without one; else null. */
export function outcomeOf(
  search: URLSearchParams,
  subscription: SubscriptionView | null,
): PaymentOutcome | null {
  if (search.has('confirmed') && subscription !== null) {
    const state = subscription.needsConfirmation || subscription.state === 'past_due' ? 'waiting' : 'done';
    const retry = withParameters(SUBSCRIPTION, { confirm: '1' });
    return { kind: 'confirm', state, reported: reportOf(search), retry };
  }
  return subscription?.tier === 'pro'
    ? null
    : readLeft(search, { kind: 'subscription', retry: SUBSCRIPTION });
}
