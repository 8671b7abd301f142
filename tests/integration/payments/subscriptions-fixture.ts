import { expect } from 'vitest';
import type Stripe from 'stripe';
import { SECOND } from '#shared/clock';
import { findCustomer } from '#shared/payments/customers.server';
import type { Payer } from '#shared/payments/payments-context';
import { readSubscription, type SubscriptionView } from '#shared/subscriptions/read-subscription';
import { startSubscription } from '#shared/subscriptions/start-subscription.server';
import { syncPackages } from '#shared/subscriptions/packages/sync-packages.server';
import { CARDS, confirmCard, createPaymentsFixture, type PaymentsFixture } from './payments-fixture';

export interface SubscriptionsFixture extends PaymentsFixture {
  /** What the site shows to an account. */
  view(account: Payer): Promise<SubscriptionView>;
  /** Pays with the card form, and confirms at the bank when that is required. */
  pay(clientSecret: string | null | undefined, card?: string): Promise<void>;
  /** Buys a plan (Pro Monthly) for an account, by default a new one, and reads it afresh from Stripe. */
  subscribe(order?: { packageId?: string; card?: string; account?: Payer }): Promise<Payer>;
  /** Subscribes, and then saves a card whose every charge fails (docs.stripe.com/testing), as Stripe's portal does. */
  subscribeWithFailingCard(): Promise<Payer>;
  /** What Stripe has taken from cards, in pence, newest first. */
  charges(): Promise<number[]>;
  /** All subscriptions at Stripe, newest first. */
  atStripe(): Promise<Stripe.Subscription[]>;
  /** The period of the only subscription at Stripe, in epoch ms: its clock runs on while a test does. */
  periodAtStripe(): Promise<{ start: number; end: number }>;
}

/** The fixture of payments, with the prices of the plans at Stripe. */
export async function createSubscriptionsFixture(): Promise<SubscriptionsFixture> {
  const base = await createPaymentsFixture();
  const { client, context, db, sandbox } = base;
  await syncPackages(context);
  const fixture: SubscriptionsFixture = {
    ...base,
    view: (account) => readSubscription(db, { accountId: account.id, now: context.clock.now() }),
    async pay(clientSecret, card = CARDS.succeeds) {
      if (clientSecret == null) throw new Error('there is nothing to pay');
      const { intent, error } = await confirmCard(sandbox, clientSecret, card);
      expect(error).toBeNull();
      if (intent?.status === 'requires_action') sandbox.stripe.finishChallenge(intent.id, true);
    },
    async subscribe({ packageId = 'pro-monthly', card = CARDS.succeeds, account } = {}) {
      const payer = account ?? (await base.payer());
      const { clientSecret } = await startSubscription(context, { account: payer, packageId });
      await fixture.pay(clientSecret, card);
      await base.readAfresh(payer);
      return payer;
    },
    async subscribeWithFailingCard() {
      const account = await fixture.subscribe();
      const customer = (await findCustomer(db, { accountId: account.id })) ?? '';
      const { id } = await client.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
      const { data } = await client.subscriptions.list({ customer });
      await client.subscriptions.update(data[0]?.id ?? '', { default_payment_method: id });
      return account;
    },
    async charges() {
      const { data } = await client.charges.list({ limit: 100 });
      return data.filter(({ paid }) => paid).map(({ amount }) => amount);
    },
    atStripe: async () => (await client.subscriptions.list({ status: 'all', limit: 100 })).data,
    async periodAtStripe() {
      const item = (await fixture.atStripe())[0]?.items.data[0];
      return {
        start: (item?.current_period_start ?? 0) * SECOND,
        end: (item?.current_period_end ?? 0) * SECOND,
      };
    },
  };
  return fixture;
}
