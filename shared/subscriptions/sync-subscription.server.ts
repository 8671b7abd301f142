import type { CustomerLease } from '../payments/customer-lease.server';
import type { PaymentsContext } from '../payments/payments-context';
import type { SyncResult } from '../payments/sync-result';

/**
 * Reads a subscription with its invoices afresh from Stripe, and writes what it says in one transaction. `lease`: the
 * lease that the caller holds. Ignores foreign subscriptions. Throws `BadGateway`, `Unavailable`.
 */
export async function syncSubscription(
  _context: PaymentsContext,
  _stripeSubscriptionId: string,
  _lease?: CustomerLease,
): Promise<SyncResult> {
  throw new Error('not built yet');
}

/** The same for the attempt of a hosted Checkout session. */
export async function syncSubscriptionCheckout(
  _context: PaymentsContext,
  _stripeSessionId: string,
  _lease?: CustomerLease,
): Promise<SyncResult> {
  throw new Error('not built yet');
}
