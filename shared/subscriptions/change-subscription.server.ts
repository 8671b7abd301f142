import type { Payer, PaymentsContext } from '../payments/payments-context';
import type { SubscriptionRecord } from './read-subscription';

export interface ChangedSubscription {
  subscription: SubscriptionRecord;
  message: string;
}

/** Cancels at the end of the period. Throws `Conflict` without an active subscription. */
export async function cancelSubscription(
  _context: PaymentsContext,
  _order: { account: Payer; reason: string | null },
): Promise<ChangedSubscription> {
  throw new Error('not built yet');
}

/** Undoes a cancellation before the period ends. Throws `Conflict` when it is not cancelling. */
export async function reactivateSubscription(
  _context: PaymentsContext,
  _order: { account: Payer },
): Promise<ChangedSubscription> {
  throw new Error('not built yet');
}

/** What a change of plan costs now. All amounts in pence. */
export interface PlanQuote {
  id: string;
  currentPlan: { name: string };
  newPlan: { name: string; pricePence: number; durationDays: number };
  /** The unused value of the current plan. */
  remainingPence: number;
  /** Due now; negative: a credit. */
  proratedPence: number;
  expiresAt: string;
}

/** Previews a change and keeps it as a quote for fifteen minutes. Throws `NotFound`, `Conflict` (same plan, not pro). */
export async function previewPlanChange(
  _context: PaymentsContext,
  _order: { account: Payer; newPackageId: string },
): Promise<PlanQuote> {
  throw new Error('not built yet');
}

/**
 * Changes the plan for the amount of the open quote. `quoteId`: the quote that a page showed. Throws `Conflict` with code
 * `quote_expired` when there is no such quote any more or Stripe's amount differs; a fresh quote is stored then.
 */
export async function changePlan(
  _context: PaymentsContext,
  _order: { account: Payer; newPackageId: string; quoteId?: string },
): Promise<ChangedSubscription & { clientSecret?: string }> {
  throw new Error('not built yet');
}

/** Stripe's customer portal (card, past invoices). `returnTo`: a path of ours. Throws `Conflict` without a customer. */
export async function openPortal(
  _context: PaymentsContext,
  _order: { account: Payer; returnTo: string },
): Promise<{ url: string }> {
  throw new Error('not built yet');
}

/** The payment that waits for the member's confirmation (renewal or plan change); null when none does. */
export async function findConfirmation(
  _context: PaymentsContext,
  _query: { account: Payer },
): Promise<{ clientSecret: string; hostedInvoiceUrl: string; amountPence: number } | null> {
  throw new Error('not built yet');
}
