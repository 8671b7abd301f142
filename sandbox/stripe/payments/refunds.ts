import type Stripe from 'stripe';
import { formatMoney } from '../format';
import { byCreated, byId, listRoute } from '../rest/list';
import type { Route } from '../rest/rest';
import { invalidRequest } from '../rest/stripe-error';
import { idOf, type Store } from '../store';

/**
 * Refunds a charge, wholly or in part, and emits `refund.created`, `charge.refunded` and `refund.updated`.
 * @param wanted pence; absent: all that is left
 * @throws StripeError for a charge that was not paid, is refunded or disputed, or for more than is left
 */
export function refundCharge(store: Store, charge: Stripe.Charge, wanted?: number): Stripe.Refund {
  if (!charge.paid)
    throw invalidRequest(
      `Charge ${charge.id} has not been paid and cannot be refunded.`,
      'charge_not_refundable',
    );
  if (charge.refunded)
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  const dispute = store.list('dispute', (candidate) => candidate.charge === charge.id)[0];
  if (dispute && !dispute.is_charge_refundable)
    throw invalidRequest(
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
      'charge_disputed',
    );
  const left = charge.amount - charge.amount_refunded;
  const amount = wanted ?? left;
  if (amount < 1) throw invalidRequest('Invalid positive integer', 'parameter_invalid_integer', 'amount');
  if (amount > left)
    throw invalidRequest(
      `Refund amount (${formatMoney(amount, charge.currency)}) is greater than unrefunded amount on charge (${formatMoney(left, charge.currency)})`,
      undefined,
      'amount',
    );
  const refund: Stripe.Refund = {
    id: store.newId('refund'),
    object: 'refund',
    amount,
    balance_transaction: store.newToken('txn'),
    charge: charge.id,
    created: store.now(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      type: 'card',
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
    },
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
  store.insert('refund', refund);
  const previous = { amount_refunded: charge.amount_refunded, refunded: charge.refunded };
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  store.emit('refund.created', refund);
  store.emit('charge.refunded', charge, previous);
  store.emit('refund.updated', refund, { balance_transaction: null });
  return refund;
}

/**
 * The charge that an intent's or a charge's id names; of an intent the latest.
 * @throws StripeError when there is none
 */
export function chargeToRefund(store: Store, id: string): Stripe.Charge {
  if (!id.startsWith('pi_')) return store.require('charge', id, 'charge');
  const intent = store.require('payment_intent', id, 'payment_intent');
  const latest = idOf(intent.latest_charge);
  if (intent.status !== 'succeeded' || latest === null)
    throw invalidRequest(
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      'payment_intent_unexpected_state',
      'payment_intent',
    );
  return store.require('charge', latest, 'payment_intent');
}

/** A charge's refunds as Stripe embeds them on `expand: ['refunds']`. */
export function refundsOf(store: Store, charge: Stripe.Charge) {
  const refunds = store.list('refund', (refund) => refund.charge === charge.id);
  return { object: 'list', data: refunds, has_more: false, url: `/v1/charges/${charge.id}/refunds` };
}

/** The routes below `/v1/refunds`. */
export const REFUND_ROUTES: Route[] = [
  listRoute('refund', '/v1/refunds', {
    charge: byId('charge'),
    payment_intent: byId('payment_intent'),
    created: byCreated,
  }),
];
