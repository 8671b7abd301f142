import { describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '#shared/clock';
import { changePlan, previewPlanChange } from '#shared/subscriptions/change-plan.server';
import { cancelSubscription } from '#shared/subscriptions/manage-subscription.server';
import { readSubscription } from '#shared/subscriptions/read-subscription';
import { startSubscription } from '#shared/subscriptions/start-subscription.server';
import { syncPackages } from '#shared/subscriptions/packages/sync-packages.server';
import type { Sandbox } from '../../../sandbox/start-sandbox';
import { refusalOf } from '../accounts/accounts-fixture';
import { CARDS, confirmCard, createPaymentsFixture, type PaymentsFixture } from './payments-fixture';

type Fault = Parameters<Sandbox['stripe']['setFaults']>[0][number];

/** Stripe fails; `executed`: it has executed the request, and only the response is lost. */
const FAULTS: [string, Fault][] = [
  ['answers 500 and has done nothing', { kind: 'status', status: 500 }],
  ['answers 500 and has done it', { kind: 'status', status: 500, executed: true }],
  ['drops the connection and has done nothing', { kind: 'drop' }],
  ['drops the connection and has done it', { kind: 'drop', executed: true }],
  ['is too busy', { kind: 'status', status: 429 }],
];

/** The SDK repeats most failed requests once. */
const BOTH_TRIES = { count: 2 };

async function withFixture(test: (fixture: PaymentsFixture) => Promise<void>): Promise<void> {
  const fixture = await createPaymentsFixture();
  try {
    await syncPackages(fixture.context);
    await test(fixture);
  } finally {
    await fixture.cleanup();
  }
}

async function charges({ client }: PaymentsFixture): Promise<number[]> {
  return (await client.charges.list({ limit: 100 })).data.map(({ amount }) => amount);
}

async function subscribe({ context, sandbox, payer, readAfresh }: PaymentsFixture) {
  const account = await payer();
  const { clientSecret } = await startSubscription(context, { account, packageId: 'pro-monthly' });
  await confirmCard(sandbox, clientSecret ?? '', CARDS.succeeds);
  await readAfresh(account);
  return account;
}

describe.concurrent('when Stripe', { timeout: MINUTE }, () => {
  it.each(FAULTS)('%s, a start says so, and the next try pays once', (_name, fault) =>
    withFixture(async (fixture) => {
      const { context, sandbox, client } = fixture;
      const account = await fixture.payer();
      const order = { account, packageId: 'pro-monthly' };
      sandbox.stripe.setFaults([{ ...fault, ...BOTH_TRIES, method: 'POST', path: '/v1/subscriptions' }]);
      const refused = await refusalOf(startSubscription(context, order));
      expect(['BadGateway', 'Unavailable']).toContain(refused.kind);
      sandbox.stripe.setFaults([]);
      expect(refused.message).toMatch(/^The payment service .* Please try again in a minute\.$/);

      const { clientSecret } = await startSubscription(context, order);
      await confirmCard(sandbox, clientSecret ?? '', CARDS.succeeds);
      await fixture.readAfresh(account);
      const { tier } = await readSubscription(fixture.db, {
        accountId: account.id,
        now: context.clock.now(),
      });
      expect(tier).toBe('pro');
      expect(await charges(fixture)).toEqual([999]);
      const { data } = await client.subscriptions.list({ status: 'all' });
      expect(data.filter(({ status }) => status !== 'incomplete')).toHaveLength(1);
    }),
  );

  it.each(FAULTS)('%s, a change of plan says so, and is charged once for its quote', (_name, fault) =>
    withFixture(async (fixture) => {
      const { context, sandbox } = fixture;
      const account = await subscribe(fixture);
      fixture.advance(DAY);
      const order = { account, newPackageId: 'pro-yearly' };
      const quote = await previewPlanChange(context, order);
      sandbox.stripe.setFaults([{ ...fault, ...BOTH_TRIES, method: 'POST', path: '/v1/subscriptions/' }]);
      const refused = await refusalOf(changePlan(context, { ...order, quoteId: quote.id }));
      expect(['BadGateway', 'Unavailable']).toContain(refused.kind);
      sandbox.stripe.setFaults([]);

      // What the member does next: the same button, and after a refusal the fresh quote.
      for (let tries = 0; tries < 3 && (await charges(fixture)).length < 2; tries += 1)
        await changePlan(context, order).catch(() => undefined);
      expect((await refusalOf(changePlan(context, order))).code).toBe('same_plan');
      expect(await charges(fixture)).toEqual([quote.proratedPence, 999]);
      const { currentPackageId } = await readSubscription(fixture.db, {
        accountId: account.id,
        now: context.clock.now(),
      });
      expect(currentPackageId).toBe('pro-yearly');
    }),
  );

  it('has ended a subscription and its event is lost, the next action tells the member', () =>
    withFixture(async (fixture) => {
      const { client, context } = fixture;
      const account = await subscribe(fixture);
      const { data } = await client.subscriptions.list();
      await client.subscriptions.cancel(data[0]?.id ?? '');
      const refused = await refusalOf(cancelSubscription(context, { account, reason: null }));
      expect(refused).toMatchObject({ kind: 'Conflict', code: 'not_subscribed' });
      expect(
        (await readSubscription(fixture.db, { accountId: account.id, now: context.clock.now() })).tier,
      ).toBe('free');
    }));
});
