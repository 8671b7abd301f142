import type { StripeError } from '@stripe/stripe-js';
import { expect, it } from 'vitest';
import { failureOf } from './card-result';

const failed = (error: object) => failureOf({ error: error as StripeError });

it.each([
  ['generic_decline', 'Use another card'],
  ['do_not_honor', 'ask your bank'],
  ['insufficient_funds', 'enough money'],
  ['card_velocity_exceeded', 'a higher limit'],
  ['expired_card', 'expiry date'],
  ['incorrect_cvc', 'Check the card’s details'],
  ['authentication_required', 'confirm the payment in your bank’s app'],
  ['processing_error', 'Wait a minute'],
  ['issuer_not_available', 'Wait a minute'],
  ['card_not_supported', 'cannot be used for this payment'],
  ['duplicate_transaction', 'Check your purchases'],
  ['a_code_of_tomorrow', 'Use another card'],
  ['constructor', 'Use another card'],
])(
  'a card declined with %s keeps Stripe’s sentence, was not charged, and has a next step',
  (decline, next) => {
    const failure = failed({
      type: 'card_error',
      code: 'card_declined',
      decline_code: decline,
      message: 'Your card was declined.',
    });
    expect(failure?.reason).toBe('Your card was declined.');
    expect(failure?.help).toMatch(/^You were not charged\. /);
    expect(failure?.help).toContain(next);
  },
);

it('a lost, stolen or suspected card reads as any other decline', () => {
  const helps = ['lost_card', 'stolen_card', 'fraudulent', 'pickup_card', 'generic_decline'].map(
    (decline_code) => failed({ type: 'card_error', code: 'card_declined', decline_code })?.help,
  );
  expect(new Set(helps).size).toBe(1);
});

it('errors without a decline code have a next step by their code', () => {
  expect(failed({ type: 'card_error', code: 'expired_card' })?.help).toContain('expiry date');
  const refused = failed({
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message: 'We are unable to authenticate your payment method.',
  });
  expect(refused?.help).toMatch(/^You were not charged\. Try again and confirm/);
});

it('a lost answer does not claim that nothing was charged', () => {
  const failure = failed({ type: 'api_connection_error' });
  expect(failure).toEqual({
    reason: 'Payment failed',
    help: 'You can try again: if the payment has already gone through, we notice and do not charge you twice.',
  });
});

it('a field that is not filled in needs no help, and a payment that was made is no failure', () => {
  expect(failed({ type: 'validation_error', message: 'Your card number is incomplete.' })?.help).toBeNull();
  expect(failed({ type: 'invalid_request_error', payment_intent: { status: 'succeeded' } })).toBeNull();
});
