import type { Payer, PaymentsContext } from '../payments/payments-context';

export interface StartedPurchase {
  purchaseId: string;
  clientSecret: string;
  amountPence: number;
}

/**
 * Starts a purchase of tokens, or continues the pending one of the same package; a pending one of another package is
 * canceled at Stripe first. Throws `NotFound` (package), `Conflict` (a payment is being processed), `Unavailable`,
 * `BadGateway` (Stripe).
 */
export async function startTokenPurchase(
  _context: PaymentsContext,
  _order: { account: Payer; packageId: string },
): Promise<StartedPurchase> {
  throw new Error('not built yet');
}

/** The same on Stripe's hosted Checkout; the page's address. */
export async function startTokenCheckout(
  _context: PaymentsContext,
  _order: { account: Payer; packageId: string; returnTo: string },
): Promise<{ url: string }> {
  throw new Error('not built yet');
}
