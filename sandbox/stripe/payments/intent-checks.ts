import type Stripe from 'stripe';
import { cardError, invalidRequest, StripeError, type StripeErrorBody } from '../rest/stripe-error';

const CONFIRMABLE: readonly string[] = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
];
const CANCELABLE: readonly string[] = [...CONFIRMABLE, 'requires_capture', 'processing'];
const CURRENCIES = new Map([
  ['gbp', '£'],
  ['eur', '€'],
  ['usd', '$'],
]);
/** £0.30 and its like (docs.stripe.com/currencies, minimum charge amounts); all amounts are in minor units. */
const MIN_AMOUNTS = new Map([
  ['gbp', 30],
  ['eur', 50],
  ['usd', 50],
]);
const MAX_AMOUNT = 99_999_999;

/** @throws StripeError when the currency is unknown or Stripe charges no such amount */
export function checkAmount(amount: number, currency: string): void {
  const sign = CURRENCIES.get(currency);
  const min = MIN_AMOUNTS.get(currency);
  if (sign === undefined || min === undefined)
    throw invalidRequest(
      `Invalid currency: ${currency}. The sandbox takes ${[...CURRENCIES.keys()].join(', ')}.`,
      undefined,
      'currency',
    );
  if (amount < 1)
    throw invalidRequest(
      'This value must be greater than or equal to 1.',
      'parameter_invalid_integer',
      'amount',
    );
  if (amount < min)
    throw invalidRequest(
      `Amount must be at least ${sign}${(min / 100).toFixed(2)} ${currency}`,
      'amount_too_small',
      'amount',
    );
  if (amount > MAX_AMOUNT)
    throw invalidRequest(
      `Amount must be no more than ${sign}999,999.99 ${currency}`,
      'amount_too_large',
      'amount',
    );
}

/** @throws StripeError `payment_intent_unexpected_state` when the intent cannot be confirmed (any more) */
export function refuseConfirm(intent: Stripe.PaymentIntent): void {
  if (CONFIRMABLE.includes(intent.status)) return;
  throw unexpectedState(
    intent,
    intent.status === 'succeeded'
      ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
      : `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.`,
  );
}

/** @throws StripeError `payment_intent_unexpected_state` when the intent cannot be canceled (any more) */
export function refuseCancel(intent: Stripe.PaymentIntent): void {
  if (CANCELABLE.includes(intent.status)) return;
  throw unexpectedState(
    intent,
    `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${CANCELABLE.join(', ')}.`,
  );
}

function unexpectedState(intent: Stripe.PaymentIntent, message: string): StripeError {
  return new StripeError(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message,
    payment_intent: structuredClone(intent),
  });
}

/** The error of a confirm request whose card was refused. */
export function refusedCard(refusal: StripeErrorBody): StripeError {
  const { type, ...rest } = refusal;
  return type === 'card_error' ? cardError(rest) : new StripeError(400, refusal);
}
