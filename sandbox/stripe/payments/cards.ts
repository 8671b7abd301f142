import type Stripe from 'stripe';
import { cardError } from '../rest/stripe-error';

/** Why a bank refuses (docs.stripe.com/declines/codes). */
export interface Decline {
  code: 'card_declined' | 'expired_card' | 'incorrect_cvc' | 'processing_error' | 'authentication_required';
  declineCode: string;
  message: string;
}

/** How a test card behaves (docs.stripe.com/testing). */
export interface TestCard {
  number: string;
  brand: 'visa' | 'mastercard';
  /** Test ids: each use of one makes a new payment method with this card. */
  ids: readonly string[];
  /** `until-set-up`: required until a payment with `setup_future_usage` succeeded. */
  authentication: 'never' | 'until-set-up' | 'always';
  decline: Decline | null;
  /** Whether the bank already refuses to attach the card to a customer. */
  refusesAttach: boolean;
  /** A payment succeeds and is disputed at once. */
  isDisputed: boolean;
}

const declined = (declineCode: string, message = 'Your card was declined.'): Decline => ({
  code: 'card_declined',
  declineCode,
  message,
});

function card(number: string, ids: readonly string[], behaviour: Partial<TestCard> = {}): TestCard {
  return {
    number,
    ids,
    brand: 'visa',
    authentication: 'never',
    decline: null,
    refusesAttach: behaviour.decline != null,
    isDisputed: false,
    ...behaviour,
  };
}

export const TEST_CARDS: readonly TestCard[] = [
  card('4242424242424242', ['pm_card_visa']),
  card('5555555555554444', ['pm_card_mastercard'], { brand: 'mastercard' }),
  card('4000000000000002', ['pm_card_visa_chargeDeclined', 'pm_card_chargeDeclined'], {
    decline: declined('generic_decline'),
  }),
  card('4000000000009995', ['pm_card_visa_chargeDeclinedInsufficientFunds'], {
    decline: declined('insufficient_funds', 'Your card has insufficient funds.'),
  }),
  card('4000000000000069', ['pm_card_chargeDeclinedExpiredCard'], {
    decline: { code: 'expired_card', declineCode: 'expired_card', message: 'Your card has expired.' },
  }),
  card('4000000000000127', ['pm_card_chargeDeclinedIncorrectCvc'], {
    decline: {
      code: 'incorrect_cvc',
      declineCode: 'incorrect_cvc',
      message: "Your card's security code is incorrect.",
    },
  }),
  card('4000000000000119', ['pm_card_chargeDeclinedProcessingError'], {
    decline: {
      code: 'processing_error',
      declineCode: 'processing_error',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    },
  }),
  card('4000000000000341', ['pm_card_chargeCustomerFail'], {
    decline: declined('generic_decline'),
    refusesAttach: false,
  }),
  card('4000002500003155', ['pm_card_authenticationRequiredOnSetup'], { authentication: 'until-set-up' }),
  card('4000002760003184', ['pm_card_authenticationRequired'], { authentication: 'always' }),
  card('4000008260003178', ['pm_card_authenticationRequiredChargeDeclinedInsufficientFunds'], {
    authentication: 'always',
    decline: declined('insufficient_funds', 'Your card has insufficient funds.'),
    refusesAttach: false,
  }),
  card('4000000000000259', ['pm_card_createDispute'], { isDisputed: true }),
];

/** A card that is real or unknown: Stripe's test mode refuses it when it is used. */
export const UNKNOWN_CARD_DECLINE = declined(
  'test_mode_live_card',
  'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
);

export const AUTHENTICATION_REQUIRED: Decline = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

/** The card as the buyer types it. */
export interface TypedCard {
  number?: string;
  exp_month?: number;
  exp_year?: number;
  cvc?: string;
}

/**
 * The card's fields of a payment method.
 * @param now epoch seconds
 * @throws StripeError `incorrect_number`, `invalid_expiry_month`, `invalid_expiry_year`, `invalid_cvc`
 */
export function readTypedCard(
  typed: TypedCard,
  now: number,
): { number: string; card: Stripe.PaymentMethod.Card } {
  const number = (typed.number ?? '').replace(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number))
    throw cardError({ code: 'incorrect_number', message: 'Your card number is incorrect.', param: 'number' });
  const month = typed.exp_month ?? 0;
  if (month < 1 || month > 12)
    throw cardError({
      code: 'invalid_expiry_month',
      message: "Your card's expiration month is invalid.",
      param: 'exp_month',
    });
  const year = (typed.exp_year ?? 0) < 100 ? 2000 + (typed.exp_year ?? 0) : (typed.exp_year ?? 0);
  const endsAt = Date.UTC(year, month) / 1000;
  if (endsAt <= now || year > 2100)
    throw cardError({
      code: 'invalid_expiry_year',
      message: "Your card's expiration year is invalid.",
      param: 'exp_year',
    });
  if (typed.cvc !== undefined && !/^\d{3,4}$/.test(typed.cvc))
    throw cardError({ code: 'invalid_cvc', message: "Your card's security code is invalid.", param: 'cvc' });
  return { number, card: cardFields(number, month, year) };
}

export function cardFields(number: string, month: number, year: number): Stripe.PaymentMethod.Card {
  const brand = number.startsWith('5') ? 'mastercard' : 'visa';
  return {
    brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'GB',
    display_brand: brand,
    exp_month: month,
    exp_year: year,
    fingerprint: `fp${number.slice(-10)}`,
    funding: 'credit',
    generated_from: null,
    last4: number.slice(-4),
    networks: { available: [brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  };
}

function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
