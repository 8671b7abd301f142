import { z } from 'zod';
import { operation } from '../operation';
import type { Payer, PaymentsContext } from '../payments/payments-context';
import { MAX_REASON_LENGTH, REASON_RULE } from './cancel-reason';
import { changePlan, previewPlanChange } from './change-plan.server';
import { cancelSubscription, openPortal, reactivateSubscription } from './manage-subscription.server';
import { startSubscription, startSubscriptionCheckout } from './start-subscription.server';

interface Context {
  payments: PaymentsContext;
}

interface Member {
  account: Payer;
}

const packageId = z.string().min(1).max(100).describe('The id of a plan that can be bought.');
const reason = z.string().trim().max(MAX_REASON_LENGTH, REASON_RULE);

/** The members' operations on their subscription. Each sends requests to Stripe. */
export const subscriptionOperations = {
  start: operation({
    access: 'beta',
    limit: 'payment',
    input: z.object({ packageId }),
    run: ({ payments }: Context, { account }: Member, input) =>
      startSubscription(payments, { account, ...input }),
  }),
  startCheckout: operation({
    access: 'beta',
    limit: 'payment',
    input: z.object({ packageId }),
    run: ({ payments }: Context, { account }: Member, input) =>
      startSubscriptionCheckout(payments, { account, ...input }),
  }),
  cancel: operation({
    access: 'member',
    limit: 'payment',
    input: z.object({ reason: reason.optional().describe('Why, for the people who run the site.') }),
    run: ({ payments }: Context, { account }: Member, input) =>
      cancelSubscription(payments, { account, reason: input.reason ?? null }),
    sentence: ({ message }) => message,
  }),
  reactivate: operation({
    access: 'member',
    limit: 'payment',
    run: ({ payments }: Context, { account }: Member) => reactivateSubscription(payments, { account }),
    sentence: ({ message }) => message,
  }),
  previewChange: operation({
    access: 'beta',
    limit: 'payment',
    input: z.object({ newPackageId: packageId }),
    run: ({ payments }: Context, { account }: Member, input) =>
      previewPlanChange(payments, { account, ...input }),
  }),
  change: operation({
    access: 'beta',
    limit: 'payment',
    input: z.object({ newPackageId: packageId, quoteId: z.string().optional() }),
    run: ({ payments }: Context, { account }: Member, input) => changePlan(payments, { account, ...input }),
    sentence: ({ message }) => message,
  }),
  openPortal: operation({
    access: 'member',
    limit: 'payment',
    input: z.object({ returnTo: z.string() }),
    run: ({ payments }: Context, { account }: Member, input) => openPortal(payments, { account, ...input }),
  }),
};
