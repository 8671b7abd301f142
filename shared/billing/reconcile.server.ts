import type { PaymentsContext } from '../payments/payments-context';

export interface ReconcileReport {
  read: number;
  changed: number;
  failed: number;
}

/**
 * Reads from Stripe, by the function that applies events, what has been pending for over 30 seconds: purchases, attempts
 * to subscribe, and ended graces. `accountId` limits it to one account. Does nothing while payment is switched off.
 */
export async function reconcilePending(
  _context: PaymentsContext,
  _only: { accountId?: string } = {},
): Promise<ReconcileReport> {
  throw new Error('not built yet');
}

/** The same for every subscription that the database calls active. */
export async function reconcileActive(
  _context: PaymentsContext,
  _only: { accountId?: string } = {},
): Promise<ReconcileReport> {
  throw new Error('not built yet');
}
