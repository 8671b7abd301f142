import Stripe from 'stripe';
import { DomainError } from '#shared/errors';
import type { Payer } from '#shared/payments/payments-context';
import { cancelSubscription, reactivateSubscription } from '#shared/subscriptions/manage-subscription.server';
import { startSubscription } from '#shared/subscriptions/start-subscription.server';
import { startTokenCheckout, startTokenPurchase } from '#shared/tokens/buy-tokens.server';
import { changeCard, completeCheckout } from '../../../sandbox/stripe/billing/hosted';
import { takePaymentMethod } from '../../../sandbox/stripe/payments/payment-methods';
import { StripeError } from '../../../sandbox/stripe/rest/stripe-error';
import type { StripeInProcess } from './stripe-in-process';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** What a member, Stripe's operator or the time does in a history. */
export type HistoryStep =
  | { do: 'buy'; packageId: 'tokens-50' | 'tokens-200'; hosted: boolean }
  | { do: 'subscribe'; packageId: 'pro-monthly' | 'pro-yearly' }
  | { do: 'pay'; card: string }
  | { do: 'refund'; share: number }
  | { do: 'dispute' }
  | { do: 'decide'; status: 'won' | 'lost' }
  | { do: 'changeCard'; card: string }
  | { do: 'cancel' }
  | { do: 'reactivate' }
  | { do: 'cancelNow' }
  | { do: 'wait'; seconds: number }
  | { do: 'deleteCustomer' };

export const CARDS = ['pm_card_visa', 'pm_card_chargeDeclined', 'pm_card_authenticationRequired'] as const;
export const LATER_CARDS = ['pm_card_visa', 'pm_card_chargeCustomerFail', 'pm_card_authenticationRequired'];
/** An hour finalizes a draft, days retry a renewal, a month renews. */
export const WAITS = [2 * HOUR, 4 * DAY, 30 * DAY, 31 * DAY];

const last = <T>(newestFirst: readonly T[]): T | undefined => newestFirst[0];

/** A refusal of the product or of Stripe: the step was not possible in this state. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof DomainError ||
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof StripeError
  );
}

/** Carries out one step of an account; one that is not possible changes nothing. */
export async function take(world: StripeInProcess, account: Payer, step: HistoryStep): Promise<void> {
  try {
    await carryOut(world, account, step);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

async function carryOut(world: StripeInProcess, account: Payer, step: HistoryStep): Promise<void> {
  const { context, stripe, client } = world;
  const { store } = stripe;
  const paid = () =>
    last(store.list('payment_intent', (one) => one.status === 'succeeded' && one.metadata.kind === 'tokens'));
  switch (step.do) {
    case 'buy':
      await (step.hosted
        ? startTokenCheckout(context, { account, packageId: step.packageId, returnTo: '/dashboard' })
        : startTokenPurchase(context, { account, packageId: step.packageId }));
      return;
    case 'subscribe':
      await startSubscription(context, { account, packageId: step.packageId });
      return;
    case 'pay':
      return pay(world, step.card);
    case 'refund': {
      const intent = paid();
      if (intent !== undefined) stripe.refund(intent.id, Math.max(1, Math.floor(intent.amount * step.share)));
      return;
    }
    case 'dispute': {
      const intent = paid();
      if (intent !== undefined) stripe.openDispute(intent.id);
      return;
    }
    case 'decide': {
      const dispute = last(store.list('dispute'));
      if (dispute !== undefined) stripe.closeDispute(dispute.id, step.status);
      return;
    }
    case 'changeCard': {
      const customer = last(store.list('customer'));
      if (customer === undefined) return;
      const method = await client.paymentMethods.attach(step.card, { customer: customer.id });
      return changeCard(stripe.billing, customer, method.id);
    }
    case 'cancel':
      await cancelSubscription(context, { account, reason: null });
      return;
    case 'reactivate':
      await reactivateSubscription(context, { account });
      return;
    case 'cancelNow': {
      const subscription = last(store.list('subscription'));
      if (subscription !== undefined) await client.subscriptions.cancel(subscription.id);
      return;
    }
    case 'wait':
      return stripe.advance(step.seconds);
    case 'deleteCustomer': {
      const customer = last(store.list('customer'));
      if (customer !== undefined) await client.customers.del(customer.id);
    }
  }
}

/** Pays what is open, on the hosted page if one is; the bank's challenge is passed. */
async function pay(world: StripeInProcess, card: string): Promise<void> {
  const { stripe } = world;
  const { store } = stripe;
  const session = last(store.list('checkout.session', ({ status }) => status === 'open'));
  if (session !== undefined) {
    const outcome = completeCheckout(stripe.billing, session, takePaymentMethod(store, card).id);
    if (outcome.status === 'requires_action') stripe.finishChallenge(outcome.intent.id, true);
    return;
  }
  const intent = last(
    store.list('payment_intent', ({ status }) => status !== 'succeeded' && status !== 'canceled'),
  );
  if (intent === undefined) return;
  if ((await world.pay(intent.client_secret ?? '', card)) === 'requires_action')
    stripe.finishChallenge(intent.id, true);
}
