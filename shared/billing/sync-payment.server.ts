import type { PaymentsContext } from '../payments/payments-context';
import type { SyncResult } from '../payments/sync-with-stripe.server';
import { syncReversals } from '../subscriptions/sync/sync-reversals.server';
import { syncPurchase } from '../tokens/sync-purchase.server';

/** Writes a payment with its refunds and disputes: one of tokens, or of a subscription. Ignores foreign ones. */
export async function syncPayment(context: PaymentsContext, paymentIntent: string): Promise<SyncResult> {
  const purchase = await syncPurchase(context, paymentIntent);
  return purchase === 'ignored' ? syncReversals(context, paymentIntent) : purchase;
}
