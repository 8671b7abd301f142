import type Stripe from 'stripe';
import { byCreated, byId, listRoute } from '../rest/list';
import type { Route } from '../rest/rest';
import { invalidRequest } from '../rest/stripe-error';
import type { Store } from '../store';

/** How long a shop may submit evidence. */
const EVIDENCE_SECONDS = 7 * 24 * 3600;
const OPEN: readonly string[] = ['needs_response', 'under_review'];

/**
 * A buyer disputes a payment: the buyer's bank takes the money back. Emits `charge.dispute.created` and
 * `charge.dispute.funds_withdrawn`.
 * @param amount pence; absent: what is not refunded
 * @throws StripeError when the charge was not paid, is fully refunded, or has a dispute
 */
export function openDispute(
  store: Store,
  charge: Stripe.Charge,
  { reason = 'fraudulent', amount }: { reason?: string; amount?: number } = {},
): Stripe.Dispute {
  const left = charge.amount - charge.amount_refunded;
  if (!charge.paid || left === 0)
    throw invalidRequest(`Charge ${charge.id} holds no money that a bank could take back.`);
  if (charge.disputed) throw invalidRequest(`Charge ${charge.id} is already disputed.`, 'charge_disputed');
  const taken = amount ?? left;
  if (taken < 1 || taken > charge.amount)
    throw invalidRequest('The amount is not part of the charge.', undefined, 'amount');
  const dispute: Stripe.Dispute = {
    id: store.newId('dispute'),
    object: 'dispute',
    amount: taken,
    balance_transactions: [],
    charge: charge.id,
    created: store.now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: EMPTY_EVIDENCE,
    evidence_details: {
      due_by: store.now() + EVIDENCE_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    network_reason_code: '10.4',
    payment_intent: charge.payment_intent,
    payment_method_details: {
      type: 'card',
      card: { brand: 'visa', case_type: 'chargeback', network: 'visa', network_reason_code: '10.4' },
    },
    reason,
    status: 'needs_response',
  };
  store.insert('dispute', dispute);
  charge.disputed = true;
  store.emit('charge.dispute.created', dispute);
  store.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/**
 * The bank decides. `won` gives the money back to the shop (`charge.dispute.funds_reinstated`); both emit
 * `charge.dispute.closed`.
 * @throws StripeError when the dispute is decided already
 */
export function closeDispute(store: Store, dispute: Stripe.Dispute, status: 'won' | 'lost'): Stripe.Dispute {
  if (!OPEN.includes(dispute.status))
    throw invalidRequest(`The dispute ${dispute.id} is already ${dispute.status}.`);
  const previous = { status: dispute.status };
  dispute.status = status;
  store.emit('charge.dispute.updated', dispute, previous);
  if (status === 'won') store.emit('charge.dispute.funds_reinstated', dispute);
  store.emit('charge.dispute.closed', dispute);
  return dispute;
}

/** The routes below `/v1/disputes`. */
export const DISPUTE_ROUTES: Route[] = [
  listRoute('dispute', '/v1/disputes', {
    charge: byId('charge'),
    payment_intent: byId('payment_intent'),
    created: byCreated,
  }),
];

const EMPTY_EVIDENCE = { enhanced_evidence: {} } as Stripe.Dispute.Evidence;
