import { z } from 'zod';
import { toPounds } from '#shared/money';
import { readSubscription } from '#shared/subscriptions/read-subscription';
import { subscriptionOperations } from '#shared/subscriptions/subscription-operations';
import { listSubscriptionPackages } from '#shared/subscriptions/packages/subscription-packages';
import { SUBSCRIPTION } from '~/components/payment/addresses';
import { call, operationCall } from '~/http/api/call.server';
import { endpoint } from '~/http/api/endpoint.server';
import { poundsSchema } from './calls/schemas.server';
import { serverContext } from '~/http/server/context.server';

const subscriptionSchema = z
  .object({
    tier: z.enum(['free', 'pro']),
    expiresAt: z
      .string()
      .nullable()
      .describe('When Pro renews or ends; after a failed renewal, the end of the grace. Null for free.'),
    cancelAtPeriodEnd: z
      .boolean()
      .describe(
        'It is cancelled: Pro ends at `expiresAt`, the end of the period or an earlier or later date.',
      ),
    currentPackageId: z.string().nullable(),
  })
  .meta({ id: 'Subscription' });

const subscriptionExample: z.output<typeof subscriptionSchema> = {
  tier: 'pro',
  expiresAt: '2026-12-20T10:15:00.000Z',
  cancelAtPeriodEnd: false,
  currentPackageId: 'pro-monthly',
};

const packageSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    price: poundsSchema,
    durationDays: z.number().int(),
  })
  .meta({ id: 'SubscriptionPackage' });

const changedSchema = z.object({ subscription: subscriptionSchema, message: z.string() });
const clientSecretExample = 'pi_3QexampleA1b2C3_secret_d4E5f6';

const subscriptions = endpoint(
  { name: 'subscriptions', description: 'Plans and the member’s subscription' },
  {
    'GET /api/subscriptions': call({
      id: 'readSubscription',
      summary: 'Reads the caller’s subscription',
      description: 'The tier is free without a subscription.',
      access: 'member',
      response: z.object({ subscription: subscriptionSchema }),
      example: { response: { subscription: subscriptionExample } },
      async run({ caller }) {
        const { db, clock } = serverContext();
        return {
          subscription: await readSubscription(db, { accountId: caller.account.id, now: clock.now() }),
        };
      },
    }),

    'GET /api/subscriptions/packages': call({
      id: 'listSubscriptionPackages',
      summary: 'Lists the plans that can be bought',
      description: 'The cheapest comes first.',
      access: 'member',
      response: z.object({ packages: z.array(packageSchema) }),
      example: {
        response: {
          packages: [
            {
              id: 'pro-monthly',
              name: 'Pro Monthly',
              description: 'Instant alerts and the desktop app, paid by the month.',
              price: 9.99,
              durationDays: 30,
            },
          ],
        },
      },
      async run() {
        const packages = await listSubscriptionPackages(serverContext().db);
        return {
          packages: packages.map(({ pricePence, ...rest }) => ({ ...rest, price: toPounds(pricePence) })),
        };
      },
    }),

    'POST /api/subscriptions/create-payment-intent': operationCall(subscriptionOperations.start, {
      id: 'startSubscription',
      summary: 'Starts a subscription',
      description:
        'The client secret is for Stripe.js, which confirms the payment. Repeated for the same plan it continues the same attempt. The subscription is active after Stripe has reported the payment. Refused with 409 when the caller has Pro.',
      body: subscriptionOperations.start.input,
      response: z.object({
        clientSecret: z.string().nullable().describe('Null when a credit pays for everything.'),
      }),
      failures: [404, 409, 502, 503],
      example: { body: { packageId: 'pro-monthly' }, response: { clientSecret: clientSecretExample } },
      reply: ({ result: { clientSecret } }) => ({ clientSecret }),
    }),

    'POST /api/subscriptions/cancel': operationCall(subscriptionOperations.cancel, {
      id: 'cancelSubscription',
      summary: 'Cancels the subscription at the end of its period',
      description:
        'An earlier date of cancellation stays. After a failed renewal the paid period is over, so the subscription ends at once. Refused with 409 without an active subscription.',
      body: subscriptionOperations.cancel.input,
      response: changedSchema,
      failures: [409, 502, 503],
      example: {
        body: { reason: 'The releases that I wanted are out.' },
        response: {
          subscription: { ...subscriptionExample, cancelAtPeriodEnd: true },
          message:
            'Your subscription is cancelled. You keep Pro until 20 December 2026, and nothing more is charged.',
        },
      },
      reply: ({ result }) => result,
    }),

    'POST /api/subscriptions/reactivate': operationCall(subscriptionOperations.reactivate, {
      id: 'reactivateSubscription',
      summary: 'Takes a cancellation back',
      description:
        'Also one by a date, such as of Stripe’s portal. Refused with 409 when the subscription is not cancelled, or has ended.',
      response: changedSchema,
      failures: [409, 502, 503],
      example: {
        response: {
          subscription: subscriptionExample,
          message: 'Your subscription is active again. It renews on 20 December 2026.',
        },
      },
      reply: ({ result }) => result,
    }),

    'POST /api/subscriptions/preview-change': operationCall(subscriptionOperations.previewChange, {
      id: 'previewPlanChange',
      summary: 'Previews a change of plan',
      description:
        'The preview is kept for fifteen minutes: change-plan charges exactly its amount, or is refused. Refused with 409 for the current plan, and without an active subscription.',
      body: subscriptionOperations.previewChange.input,
      response: z.object({
        preview: z.object({
          currentPlan: z.object({ name: z.string() }),
          newPlan: z.object({ name: z.string() }),
          remainingValue: z.number().describe('The unused value of the current plan, in pounds.'),
          proratedAmount: z.number().describe('Due now, in pounds; negative: a credit.'),
        }),
      }),
      failures: [404, 409, 502, 503],
      example: {
        body: { newPackageId: 'pro-yearly' },
        response: {
          preview: {
            currentPlan: { name: 'Pro Monthly' },
            newPlan: { name: 'Pro Yearly' },
            remainingValue: 4.99,
            proratedAmount: 90.91,
          },
        },
      },
      reply: ({ result: quote }) => ({
        preview: {
          currentPlan: quote.currentPlan,
          newPlan: { name: quote.newPlan.name },
          remainingValue: toPounds(quote.remainingPence),
          proratedAmount: toPounds(quote.proratedPence),
        },
      }),
    }),

    'POST /api/subscriptions/change-plan': operationCall(subscriptionOperations.change, {
      id: 'changePlan',
      summary: 'Changes the plan for the amount of the last preview',
      description:
        'Refused with 409 and the code `quote_expired` when no preview is open or its amount has changed; a fresh preview is made then. With a client secret the payment waits for the buyer, and the plan changes when Stripe.js has confirmed it.',
      body: subscriptionOperations.previewChange.input,
      response: changedSchema.extend({ clientSecret: z.string().optional() }),
      failures: [404, 409, 502, 503],
      example: {
        body: { newPackageId: 'pro-yearly' },
        response: {
          subscription: {
            ...subscriptionExample,
            expiresAt: '2027-11-20T10:15:00.000Z',
            currentPackageId: 'pro-yearly',
          },
          message: 'Your plan is Pro Yearly now.',
        },
      },
      reply: ({ result }) => result,
    }),

    'POST /api/subscriptions/portal': operationCall(subscriptionOperations.openPortal, {
      id: 'openPortal',
      summary: 'Opens Stripe’s customer portal',
      description:
        'There the caller updates the card and reads past invoices. The address works for a short time. Refused with 409 before the first purchase.',
      input: () => ({ returnTo: SUBSCRIPTION }),
      response: z.object({ url: z.string() }),
      failures: [409, 502, 503],
      example: { response: { url: 'https://billing.stripe.com/p/session/test_YWNjdF8x' } },
      reply: ({ result }) => result,
    }),
  },
);

export const loader = subscriptions;
export const action = subscriptions;
