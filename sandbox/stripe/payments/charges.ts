import type Stripe from 'stripe';
import { byCreated, byId, listRoute } from '../rest/list';
import type { Route } from '../rest/rest';
import type { Store } from '../store';
import type { Decline } from './cards';

/**
 * The charge of one attempt to pay; emits `charge.succeeded` or `charge.failed`.
 * @param decline why the bank refused; null when it paid
 */
export function createCharge(
  store: Store,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  decline: Decline | null,
): Stripe.Charge {
  const paid = decline === null;
  const charge: Stripe.Charge = {
    id: store.newId('charge'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: paid ? store.newToken('txn') : null,
    billing_details: structuredClone(method.billing_details),
    calculated_statement_descriptor: 'PACKWATCH',
    captured: paid,
    created: store.now(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: paid ? 'approved_by_network' : 'declined_by_network',
      reason: decline?.declineCode ?? null,
      risk_level: 'normal',
      seller_message: paid ? 'Payment complete.' : 'The bank declined the payment.',
      type: paid ? 'authorized' : 'issuer_declined',
    },
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: 'card', card: cardDetails(intent, method) },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
  store.insert('charge', charge);
  store.emit(paid ? 'charge.succeeded' : 'charge.failed', charge);
  return charge;
}

function cardDetails(
  intent: Stripe.PaymentIntent,
  { card }: Stripe.PaymentMethod,
): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    amount_authorized: intent.amount,
    authorization_code: null,
    brand: card?.brand ?? null,
    checks: card?.checks ?? null,
    country: card?.country ?? null,
    electronic_commerce_indicator: null,
    exp_month: card?.exp_month ?? 0,
    exp_year: card?.exp_year ?? 0,
    fingerprint: card?.fingerprint ?? null,
    funding: card?.funding ?? null,
    installments: null,
    last4: card?.last4 ?? null,
    mandate: null,
    network: card?.brand ?? null,
    network_token: { used: false },
    network_transaction_id: null,
    regulated_status: null,
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  };
}

/** The routes below `/v1/charges`. */
export const CHARGE_ROUTES: Route[] = [
  listRoute('charge', '/v1/charges', {
    customer: byId('customer'),
    payment_intent: byId('payment_intent'),
    created: byCreated,
  }),
];
