import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createSession } from '#shared/accounts/sessions';
import { MINUTE, systemClock } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import type { KillableStack } from './killable-stack';
import { addBetaMember } from '../../paid-accounts';

/** Longer than every lease, claim and reconcile interval together. */
const GIVE_UP_AFTER_MS = 3 * MINUTE;
const RETRY_EVERY_MS = 100;

/** A purchase and its expected result. */
export const GOODS = {
  tokens: { create: '/api/payments/create-payment-intent', packageId: 'tokens-50', pence: 499, tokens: 50 },
  subscription: {
    create: '/api/subscriptions/create-payment-intent',
    packageId: 'pro-monthly',
    pence: 999,
    tokens: 0,
  },
} as const;
export type Good = keyof typeof GOODS;

export interface Buyer {
  id: string;
  email: string;
  token: string;
  good: Good;
}

/** Adds a member with beta access and a session. */
export async function addBuyer(db: Database, good: Good): Promise<Buyer> {
  const email = `buyer-${randomBytes(6).toString('hex')}@packwatch.example`;
  const id = await addBetaMember(db, { email, username: 'Buyer' });
  const { token } = await createSession(db, { accountId: id, userAgent: null, clock: systemClock });
  return { id, email, token, good };
}

/** The outcome of a purchase. */
export interface Bought {
  buyer: Buyer;
  /** Milliseconds from the first request until the member saw the tokens or Pro; null when that did not happen. */
  tookMs: number | null;
  /** Requests that failed and were repeated. */
  retries: number;
  /** The answer to a refused request; null when none was refused. */
  refusal: string | null;
}

const secretSchema = z.object({ clientSecret: z.string() });
const balanceSchema = z.object({ balance: z.number() });
const tierSchema = z.object({ subscription: z.object({ tier: z.string() }) });

/**
 * Buys as a member's browser does: starts the payment, confirms the card at Stripe, and polls until the goods arrive. A
 * failed request is repeated, as when a member reloads the page.
 */
export async function buy({ siteUrl, sandbox }: KillableStack, buyer: Buyer): Promise<Bought> {
  const { create, packageId, tokens } = GOODS[buyer.good];
  const began = performance.now();
  let retries = 0;

  async function call<T>(
    method: 'GET' | 'POST',
    path: string,
    answer: z.ZodType<T>,
    body?: object,
  ): Promise<T> {
    for (;;) {
      try {
        const response = await fetch(siteUrl + path, {
          method,
          headers: { Authorization: `Bearer ${buyer.token}`, 'Content-Type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        if (response.ok) return answer.parse(await response.json());
        if (response.status < 500 && response.status !== 429)
          throw new Refusal(`${path} answered ${response.status}: ${await response.text()}`);
      } catch (error) {
        if (error instanceof Refusal || error instanceof z.ZodError) throw error;
      }
      retries += 1;
      if (performance.now() - began > GIVE_UP_AFTER_MS) throw new Refusal(`${path} did not succeed in time`);
      await sleep(RETRY_EVERY_MS);
    }
  }

  const isDone = async (): Promise<boolean> =>
    buyer.good === 'tokens'
      ? (await call('GET', '/api/payments/balance', balanceSchema)).balance >= tokens
      : (await call('GET', '/api/subscriptions', tierSchema)).subscription.tier === 'pro';

  const ended = (tookMs: number | null, refusal: string | null = null) => ({
    buyer,
    tookMs,
    retries,
    refusal,
  });
  try {
    const { clientSecret } = await call('POST', create, secretSchema, { packageId });
    await confirm(sandbox, clientSecret);
    while (!(await isDone())) {
      if (performance.now() - began > GIVE_UP_AFTER_MS) return ended(null);
      await sleep(RETRY_EVERY_MS);
    }
    return ended(performance.now() - began);
  } catch (error) {
    if (error instanceof Refusal) return ended(null, error.message);
    throw error;
  }
}

/** A request that cannot succeed by repeating it. */
class Refusal extends Error {}

/** Confirms a payment with a good card, as Stripe.js does. */
async function confirm(sandbox: KillableStack['sandbox'], clientSecret: string): Promise<void> {
  const [id = ''] = clientSecret.split('_secret_');
  const response = await fetch(`${sandbox.stripeApiUrl}/v1/payment_intents/${id}/confirm`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sandbox.stripePublishableKey}` },
    body: new URLSearchParams({
      client_secret: clientSecret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': '4242424242424242',
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '34',
      'payment_method_data[card][cvc]': '123',
    }),
  });
  if (!response.ok) throw new Refusal(`Stripe refused the card: ${await response.text()}`);
}
