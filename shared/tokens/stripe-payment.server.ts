import type { Selectable } from 'kysely';
import type Stripe from 'stripe';
import { toIso } from '../clock';
import type { TokenPurchasesTable } from '../database/tables/payments/tokens';
import type { StripeAccess } from '../payments/payments-context';
import { callStripe, findAtStripe } from '../payments/stripe-errors';

const PAGE = 100;
/** Refunds that failed or were canceled leave the money with us (docs.stripe.com/refunds). */
const EFFECTIVE_REFUNDS = new Set(['pending', 'requires_action', 'succeeded']);
/** An inquiry (`warning_…`) withdraws no money; `prevented` never began (docs.stripe.com/disputes/how-disputes-work). */
const OPEN_DISPUTES = new Set([
  'needs_response',
  'under_review',
  'appeal_needs_response',
  'appeal_under_review',
]);

export type StoredPurchase = Selectable<TokenPurchasesTable>;

/** A payment of tokens as Stripe has it now. */
export interface PaymentReading {
  intent: Stripe.PaymentIntent;
  /** What has been refunded in all. */
  refundedPence: number;
  disputeStatus: StoredPurchase['dispute_status'];
  /** The dispute of `disputeStatus`. */
  dispute: { id: string; amountPence: number } | null;
  /** What open and lost disputes have taken in all. */
  disputedPence: number;
}

/** The columns that Stripe decides. */
export type PaymentTerms = Pick<
  StoredPurchase,
  | 'status'
  | 'stripe_payment_intent_id'
  | 'failure_message'
  | 'refunded_pence'
  | 'dispute_status'
  | 'completed_at'
>;

async function sumRefunds({ client }: StripeAccess, paymentIntent: string): Promise<number> {
  let sum = 0;
  let last: string | undefined;
  for (;;) {
    const page = await callStripe(() =>
      client.refunds.list({
        payment_intent: paymentIntent,
        limit: PAGE,
        ...(last === undefined ? {} : { starting_after: last }),
      }),
    );
    for (const { amount, status } of page.data) if (EFFECTIVE_REFUNDS.has(status ?? '')) sum += amount;
    last = page.data.at(-1)?.id;
    if (!page.has_more || last === undefined) return sum;
  }
}

/** Of a payment that is not disputed. */
export const NO_DISPUTE = { dispute: null, disputeStatus: null, disputedPence: 0 } as const;

/** A payment can be disputed more than once: an open dispute counts before a lost one, and that before a won one. */
async function readDispute(
  { client }: StripeAccess,
  paymentIntent: string,
): Promise<Pick<PaymentReading, 'dispute' | 'disputeStatus' | 'disputedPence'>> {
  const { data } = await callStripe(() =>
    client.disputes.list({ payment_intent: paymentIntent, limit: PAGE }),
  );
  const statusOf = ({ status }: Stripe.Dispute): string => (OPEN_DISPUTES.has(status) ? 'open' : status);
  const byStatus = (['open', 'lost', 'won'] as const).map((status) => ({
    status,
    dispute: data.find((one) => statusOf(one) === status),
  }));
  const found = byStatus.find(({ dispute }) => dispute !== undefined);
  if (found?.dispute === undefined) return NO_DISPUTE;
  return {
    dispute: { id: found.dispute.id, amountPence: found.dispute.amount },
    disputeStatus: found.status,
    disputedPence: data
      .filter((one) => statusOf(one) === 'open' || statusOf(one) === 'lost')
      .reduce((sum, { amount }) => sum + amount, 0),
  };
}

/** A payment with its latest charge; null when Stripe has none of this id. Throws `BadGateway`, `Unavailable`. */
export function findPayment(
  { client }: Pick<StripeAccess, 'client'>,
  stripePaymentIntentId: string,
): Promise<Stripe.PaymentIntent | null> {
  return findAtStripe(() =>
    client.paymentIntents.retrieve(stripePaymentIntentId, { expand: ['latest_charge'] }),
  );
}

/** Reads the refunds and disputes of a payment that `findPayment` returned. Throws `BadGateway`, `Unavailable`. */
export async function readPayment(
  access: StripeAccess,
  intent: Stripe.PaymentIntent,
): Promise<PaymentReading> {
  const charge = typeof intent.latest_charge === 'string' ? null : intent.latest_charge;
  const paid = intent.status === 'succeeded' ? charge : null;
  return {
    intent,
    refundedPence: paid !== null && paid.amount_refunded > 0 ? await sumRefunds(access, intent.id) : 0,
    ...(paid?.disputed === true ? await readDispute(access, intent.id) : NO_DISPUTE),
  };
}

/** Whether a payment can still be made, or is under way. */
export function isUnfinished({ status }: Pick<Stripe.PaymentIntent, 'status'>): boolean {
  return status !== 'succeeded' && status !== 'canceled';
}

function statusOf(stored: StoredPurchase['status'], intent: Stripe.PaymentIntent): StoredPurchase['status'] {
  if (intent.status === 'succeeded') return 'completed';
  if (intent.status === 'canceled')
    return intent.latest_charge !== null || intent.last_payment_error !== null ? 'failed' : 'abandoned';
  return stored;
}

/** Whether the member has submitted the payment, even if refused (docs.stripe.com/payments/paymentintents/lifecycle). */
export function isSubmitted(intent: Stripe.PaymentIntent): boolean {
  if (intent.latest_charge !== null || intent.last_payment_error !== null) return true;
  return ['requires_action', 'processing', 'requires_capture', 'succeeded'].includes(intent.status);
}

/** The columns of a purchase that Stripe decides. A refused card leaves it pending: the member may try another. */
export function paymentTermsOf(row: StoredPurchase, reading: PaymentReading): PaymentTerms {
  const { intent } = reading;
  const status = statusOf(row.status, intent);
  const charge = typeof intent.latest_charge === 'string' ? null : intent.latest_charge;
  return {
    status,
    stripe_payment_intent_id: intent.id,
    failure_message: status === 'completed' ? null : (intent.last_payment_error?.message ?? null),
    refunded_pence: Math.min(reading.refundedPence, row.amount_pence),
    dispute_status: reading.disputeStatus,
    completed_at: status === 'completed' ? toIso((charge?.created ?? intent.created) * 1_000) : null,
  };
}
