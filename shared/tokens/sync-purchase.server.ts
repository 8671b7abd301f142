import type { CustomerLease } from '../payments/customer-lease.server';
import type { PaymentsContext } from '../payments/payments-context';
import type { SyncResult } from '../payments/sync-result';

/**
 * Reads a payment of tokens with its refunds and disputes afresh from Stripe, and writes purchase and ledger in one
 * transaction. `lease`: the lease that the caller holds. Ignores foreign payments. Throws `BadGateway`, `Unavailable`.
 */
export async function syncPurchase(
  _context: PaymentsContext,
  _stripePaymentIntentId: string,
  _lease?: CustomerLease,
): Promise<SyncResult> {
  throw new Error('not built yet');
}

/** The same for the purchase of a hosted Checkout session. */
export async function syncPurchaseCheckout(
  _context: PaymentsContext,
  _stripeSessionId: string,
  _lease?: CustomerLease,
): Promise<SyncResult> {
  throw new Error('not built yet');
}
