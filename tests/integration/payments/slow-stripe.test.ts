import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { DomainError } from '#shared/errors';
import { SECOND } from '#shared/clock';
import { remainingMs, STEP_LIFETIME_MS, withDeadline } from '#shared/payments/step-deadline.server';
import type { Payer } from '#shared/payments/payments-context';
import { changePlan, previewPlanChange } from '#shared/subscriptions/change-plan.server';
import {
  cancelSubscription,
  findConfirmation,
  openPortal,
  reactivateSubscription,
} from '#shared/subscriptions/manage-subscription.server';
import {
  startSubscription,
  startSubscriptionCheckout,
} from '#shared/subscriptions/start-subscription.server';
import { startTokenCheckout, startTokenPurchase } from '#shared/tokens/buy-tokens.server';
import { syncPackages } from '#shared/subscriptions/packages/sync-packages.server';
import { refusalOf } from '../accounts/accounts-fixture';
import { CARDS, confirmCard, createPaymentsFixture, type PaymentsFixture } from './payments-fixture';
import { createStripeInProcess, type StripeInProcess } from './stripe-in-process';

/** Four seconds a request and fifteen a click, forty times as fast. */
const [CALL_MS, STEP_MS] = [300, 1_125];
/** Less than a request of the SDK may take. */
const ENDS_WITHIN_MS = 10 * SECOND;

let world: StripeInProcess;
beforeAll(async () => {
  world = await createStripeInProcess();
});
afterAll(() => world.cleanup());
beforeEach(() => world.restartStripe());

interface Click {
  name: string;
  /** How many requests it sends; at most three of them wait for another. */
  requests: number;
  /** Brings a new account to where the click is possible. */
  before?: (account: Payer) => Promise<void>;
  run(account: Payer): Promise<unknown>;
}

async function subscribe(account: Payer): Promise<void> {
  const { clientSecret } = await startSubscription(world.context, { account, packageId: 'pro-monthly' });
  await world.pay(clientSecret ?? '');
  for (const event of world.takeEvents()) await world.deliver(event);
}

const tokens = (account: Payer, packageId = 'tokens-50') =>
  startTokenPurchase(world.context, { account, packageId });
const plan = (account: Payer, packageId = 'pro-monthly') =>
  startSubscription(world.context, { account, packageId });

const CLICKS: Click[] = [
  { name: 'buy tokens for the first time', requests: 4, run: (account) => tokens(account) },
  {
    name: 'buy tokens again',
    // The first one asks for payments that a restored backup has lost, as for plans.
    requests: 2,
    before: subscribe,
    run: (account) => tokens(account),
  },
  {
    name: 'buy other tokens than the pending ones',
    requests: 2,
    before: async (account) => void (await tokens(account)),
    run: (account) => tokens(account, 'tokens-200'),
  },
  {
    name: 'buy tokens on the hosted page',
    requests: 4,
    run: (account) =>
      startTokenCheckout(world.context, { account, packageId: 'tokens-50', returnTo: '/dashboard' }),
  },
  { name: 'start a plan for the first time', requests: 4, run: (account) => plan(account) },
  {
    name: 'start a plan',
    requests: 2,
    before: async (account) => void (await tokens(account)),
    run: (account) => plan(account),
  },
  {
    name: 'start another plan than the open one',
    requests: 5,
    before: async (account) => void (await plan(account)),
    run: (account) => plan(account, 'pro-yearly'),
  },
  {
    name: 'start a plan on the hosted page',
    requests: 2,
    before: async (account) => void (await tokens(account)),
    run: (account) => startSubscriptionCheckout(world.context, { account, packageId: 'pro-monthly' }),
  },
  {
    name: 'preview a change',
    requests: 2,
    before: subscribe,
    run: (account) => previewPlanChange(world.context, { account, newPackageId: 'pro-yearly' }),
  },
  {
    name: 'change the plan',
    requests: 4,
    before: async (account) => {
      await subscribe(account);
      await previewPlanChange(world.context, { account, newPackageId: 'pro-yearly' });
    },
    run: (account) => changePlan(world.context, { account, newPackageId: 'pro-yearly' }),
  },
  {
    name: 'cancel',
    requests: 1,
    before: subscribe,
    run: (account) => cancelSubscription(world.context, { account, reason: 'too dear' }),
  },
  {
    name: 'reactivate',
    requests: 1,
    before: async (account) => {
      await subscribe(account);
      await cancelSubscription(world.context, { account, reason: null });
    },
    run: (account) => reactivateSubscription(world.context, { account }),
  },
  {
    name: 'open the portal',
    requests: 1,
    before: subscribe,
    run: (account) => openPortal(world.context, { account, returnTo: '/dashboard' }),
  },
  {
    name: 'confirm a payment',
    requests: 1,
    before: subscribe,
    run: (account) => findConfirmation(world.context, { account }),
  },
];

it.each(CLICKS)(
  '$name: few requests follow one another, and each has what the click has left',
  async (click) => {
    const account = await world.payer();
    await click.before?.(account);
    world.stripe.clearRequests();
    const left: number[] = [];
    world.onRequest = () => void left.push(remainingMs());
    await click.run(account);
    world.onRequest = () => undefined;
    expect(Math.max(...left)).toBeLessThanOrEqual(STEP_LIFETIME_MS);
    expect(STEP_LIFETIME_MS).toBeLessThan(15 * SECOND);
    expect(world.stripe.requests()).toHaveLength(click.requests);
  },
);

it('a change that Stripe makes between the requests of the next click is no fault', async () => {
  const { client, context, db, stripe } = world;
  const account = await world.payer();
  await subscribe(account);
  await previewPlanChange(context, { account, newPackageId: 'pro-yearly' });
  stripe.advance(5);
  const [subscription] = (await client.subscriptions.list()).data;
  const yearly = await db
    .selectFrom('subscription_packages')
    .select('stripe_price_id')
    .where('id', '=', 'pro-yearly')
    .executeTakeFirstOrThrow();
  const preview = client.invoices.createPreview.bind(client.invoices);
  vi.spyOn(client.invoices, 'createPreview').mockImplementationOnce(async (params, options) => {
    // The request of the click before: the browser no longer waits for its answer.
    await client.subscriptions.update(subscription?.id ?? '', {
      items: [{ id: subscription?.items.data[0]?.id ?? '', price: yearly.stripe_price_id ?? '' }],
      proration_behavior: 'always_invoice',
    });
    return preview(params, options);
  });
  try {
    const again = changePlan(context, { account, newPackageId: 'pro-yearly' });
    expect(await refusalOf(again)).toMatchObject({ code: 'same_plan' });
  } finally {
    vi.restoreAllMocks();
  }
});

/** Runs a click while each request takes its time; returns the refusal if it failed. */
async function clickSlowly(fixture: PaymentsFixture, run: () => Promise<unknown>) {
  fixture.sandbox.stripe.setFaults([{ kind: 'delay', ms: CALL_MS, persistent: true }]);
  const refusal = await withDeadline(STEP_MS, run).then(
    () => null,
    (error: unknown) => error,
  );
  fixture.sandbox.stripe.setFaults([]);
  if (refusal !== null && !(refusal instanceof DomainError)) throw refusal;
  return refusal;
}

it('a click with a slow Stripe ends in time, and one that fails is finished by the next, once', async () => {
  const fixture = await createPaymentsFixture();
  try {
    const { context, sandbox, client } = fixture;
    await syncPackages(context);
    const account = await fixture.payer();
    const order = { account, packageId: 'pro-monthly' };
    let secret: string | null = null;
    let clicks = 0;
    for (; secret === null && clicks < 100; clicks += 1) {
      const refusal = await clickSlowly(fixture, async () => {
        secret = (await startSubscription(context, order)).clientSecret;
      });
      if (refusal !== null)
        expect(refusal).toMatchObject({
          code: 'payment_service_failed',
          message: 'The payment service did not answer. Please try again in a minute.',
        });
    }
    expect(secret).toMatch(/^pi_/);
    await confirmCard(sandbox, secret ?? '', CARDS.succeeds);
    await fixture.readAfresh(account);
    for (const run of [
      () => previewPlanChange(context, { account, newPackageId: 'pro-yearly' }),
      () => changePlan(context, { account, newPackageId: 'pro-yearly' }),
      () => cancelSubscription(context, { account, reason: null }),
      () => reactivateSubscription(context, { account }),
      () => startTokenPurchase(context, { account, packageId: 'tokens-50' }),
      () => openPortal(context, { account, returnTo: '/' }),
    ]) {
      const refusal = await clickSlowly(fixture, run);
      // A busy machine adds to each request.
      if (refusal !== null) {
        expect(refusal).toMatchObject({ code: 'payment_service_failed' });
        // Stripe may have changed the plan before its answer came too late.
        await run().catch((error: unknown) => expect(error).toMatchObject({ code: 'same_plan' }));
      }
    }
    expect((await client.customers.list()).data).toHaveLength(1);
    expect((await client.subscriptions.list({ status: 'all' })).data).toHaveLength(1);

    // A request that hangs ends with the click, and is not repeated after it.
    sandbox.stripe.clearRequests();
    sandbox.stripe.setFaults([{ kind: 'hang', persistent: true }]);
    const began = performance.now();
    await expect(
      withDeadline(STEP_MS, () => cancelSubscription(context, { account, reason: null })),
    ).rejects.toMatchObject({ code: 'payment_service_failed' });
    expect(performance.now() - began).toBeLessThan(ENDS_WITHIN_MS);
    expect(sandbox.stripe.requests()).toHaveLength(1);
  } finally {
    await fixture.cleanup();
  }
});
