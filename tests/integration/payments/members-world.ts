import type Stripe from 'stripe';
import { announceFaults } from '#shared/billing/announce';
import { listFaults } from '#shared/payments/payment-faults';
import type { Payer, PaymentsContext } from '#shared/payments/payments-context';
import { readMembership } from '#shared/subscriptions/membership';
import { syncPackages } from '#shared/subscriptions/packages/sync-packages.server';
import { startSubscription } from '#shared/subscriptions/start-subscription.server';
import { createStripeInProcess, type StripeInProcess } from './stripe-in-process';

/** Stripe in this process, with the plans' prices, members, and what payments store. */
export interface MembersWorld extends StripeInProcess {
  /** The product's context with another key. */
  withKey(secretKey: string, client?: Stripe): PaymentsContext;
  /** A member with Pro by a paid subscription. */
  member(): Promise<Payer>;
  tierOf(account: Payer): Promise<'free' | 'pro'>;
  /** Everything that payments store, without leases. */
  stored(): Promise<Awaited<ReturnType<typeof readStored>>>;
  faults(): Promise<string[]>;
  /** Notifies the admins of new faults, as the daemon does; all notices. */
  announce(): Promise<{ kind: string; title: string; body: string }[]>;
}

async function readStored({ db }: StripeInProcess) {
  return {
    subscriptions: await db.selectFrom('subscriptions').selectAll().orderBy('id').execute(),
    purchases: await db.selectFrom('token_purchases').selectAll().orderBy('id').execute(),
    packages: await db.selectFrom('subscription_packages').selectAll().orderBy('id').execute(),
    customers: await db
      .selectFrom('payment_customers')
      .select(['stripe_customer_id', 'deleted_at'])
      .orderBy('id')
      .execute(),
  };
}

export async function createMembersWorld(): Promise<MembersWorld> {
  const world = await createStripeInProcess();
  await syncPackages(world.context);
  return {
    ...world,
    withKey(secretKey, client = world.connect(secretKey)) {
      const { stripe } = world.context;
      if (stripe === null) throw new Error('payment is not set up');
      return { ...world.context, stripe: { client, config: { ...stripe.config, secretKey } } };
    },
    async member() {
      const account = await world.payer();
      const { clientSecret } = await startSubscription(world.context, { account, packageId: 'pro-monthly' });
      await world.pay(clientSecret ?? '');
      for (const event of world.takeEvents()) await world.deliver(event);
      return account;
    },
    tierOf: async ({ id }) =>
      (await readMembership(world.db, { accountId: id, now: world.clock.now() })).tier,
    stored: () => readStored(world),
    faults: async () => (await listFaults(world.db)).map(({ fault }) => fault),
    async announce() {
      const adminContacts = { emails: ['ops@example.org'] };
      await announceFaults(world.db, { adminContacts, now: world.clock.now() });
      return world.db
        .selectFrom('admin_notices')
        .select(['kind', 'title', 'body'])
        .orderBy('created_at')
        .execute();
    },
  };
}
