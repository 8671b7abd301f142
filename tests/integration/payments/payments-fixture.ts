import type Stripe from 'stripe';
import { SECOND } from '#shared/clock';
import { readConfig } from '#shared/config.server';
import type { Database } from '#shared/database/connection.server';
import type { Payer, PaymentsContext } from '#shared/payments/payments-context';
import { createStripe } from '#shared/payments/stripe-client.server';
import { syncSubscription } from '#shared/subscriptions/sync/sync-subscription.server';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { addBetaMember } from '../../paid-accounts';
import { createTestDatabase } from '../database';

/** Stripe's test cards (docs.stripe.com/testing). */
export const CARDS = {
  succeeds: '4242424242424242',
  declines: '4000000000000002',
  /** Needs the bank's confirmation for every payment, also for renewals. */
  alwaysConfirms: '4000002760003184',
} as const;

/** The values of the STRIPE_ variables for a sandbox. */
export function stripeVariables(sandbox: Sandbox): Record<string, string> {
  return {
    STRIPE_SECRET_KEY: sandbox.stripeSecretKey,
    STRIPE_PUBLISHABLE_KEY: sandbox.stripePublishableKey,
    STRIPE_WEBHOOK_SECRET: sandbox.stripeWebhookSecret,
    STRIPE_API_URL: sandbox.stripeApiUrl,
    STRIPE_JS_URL: sandbox.stripeJsUrl,
  };
}

/**
 * What Stripe.js does with a card form: confirms a payment with the publishable key and the client secret. Returns the
 * payment intent; a declined card is returned as Stripe's error.
 */
export async function confirmCard(
  sandbox: Sandbox,
  clientSecret: string,
  card: string,
): Promise<{ intent: Stripe.PaymentIntent | null; error: string | null }> {
  const [id = ''] = clientSecret.split('_secret_');
  const response = await fetch(`${sandbox.stripeApiUrl}/v1/payment_intents/${id}/confirm`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sandbox.stripePublishableKey}` },
    body: new URLSearchParams({
      client_secret: clientSecret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': card,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2040',
      'payment_method_data[card][cvc]': '123',
    }),
  });
  const body = (await response.json()) as Stripe.PaymentIntent & { error?: { message: string } };
  return body.error === undefined
    ? { intent: body, error: null }
    : { intent: null, error: body.error.message };
}

export interface PaymentsFixture {
  sandbox: Sandbox;
  db: Database;
  context: PaymentsContext;
  /** Stripe's API, for requests by the test itself. */
  client: Stripe;
  /** Adds an account with beta access. */
  payer(email?: string): Promise<Payer>;
  /** Reads all of an account's subscriptions afresh, as the job of an event does. */
  readAfresh(account: Payer): Promise<void>;
  /** Moves the clock of Stripe and of the site. */
  advance(ms: number): void;
  cleanup(): Promise<void>;
}

/** A database and the sandbox's Stripe, both at the time of Stripe's test clock. No events are delivered. */
export async function createPaymentsFixture(): Promise<PaymentsFixture> {
  const sandbox = await startSandbox();
  const { db, cleanup } = await createTestDatabase();
  const config = readConfig(stripeVariables(sandbox)).stripe;
  if (config === null) throw new Error('the sandbox gives no Stripe');
  const client = createStripe(config);
  const context: PaymentsContext = {
    db,
    clock: { now: () => sandbox.stripe.now() * SECOND },
    mail: { enabled: true, notifyQueue: () => undefined },
    appUrl: 'https://packwatch.example',
    stripe: { client, config },
  };
  let payers = 0;
  return {
    sandbox,
    db,
    context,
    client,
    async payer(email = `payer-${(payers += 1)}@packwatch.example`) {
      return { id: await addBetaMember(db, { email, now: context.clock.now() }), email };
    },
    async readAfresh(account) {
      const rows = await db
        .selectFrom('subscriptions')
        .select('stripe_subscription_id')
        .where('user_id', '=', account.id)
        .execute();
      for (const { stripe_subscription_id: id } of rows) if (id !== null) await syncSubscription(context, id);
    },
    advance(ms) {
      sandbox.stripe.advance(Math.round(ms / SECOND));
    },
    async cleanup() {
      await db.destroy();
      await cleanup();
      await sandbox.close();
    },
  };
}
