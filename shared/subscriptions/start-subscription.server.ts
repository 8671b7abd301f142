import type { Payer, PaymentsContext } from '../payments/payments-context';

export interface StartedSubscription {
  /** Our id; `readAttempt` tells its state. */
  attemptId: string;
  /** Null: there is nothing to pay, and the subscription is active. */
  clientSecret: string | null;
  amountPence: number;
}

/**
 * Starts a subscription, or continues the one that is incomplete. Throws `NotFound` (package), `Conflict` (already pro,
 * or the package cannot be sold), `Unavailable`, `BadGateway` (Stripe).
 */
export async function startSubscription(
  _context: PaymentsContext,
  _order: { account: Payer; packageId: string },
): Promise<StartedSubscription> {
  throw new Error('not built yet');
}

/** Starts a subscription on Stripe's hosted Checkout; the page's address. Throws as `startSubscription`. */
export async function startSubscriptionCheckout(
  _context: PaymentsContext,
  _order: { account: Payer; packageId: string },
): Promise<{ url: string }> {
  throw new Error('not built yet');
}

/** The state of an account's attempt to subscribe, from the database; null for another account's. */
export async function readAttempt(
  _context: Pick<PaymentsContext, 'db'>,
  _query: { accountId: string; attemptId: string },
): Promise<'waiting' | 'done' | 'failed' | null> {
  throw new Error('not built yet');
}
