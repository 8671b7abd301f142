/** Shown when the browser did not hear the outcome. A repetition confirms the same payment at Stripe, which is made once. */
export const RETRY_IS_SAFE =
  'You can try again: if the payment has already gone through, we notice and do not charge you twice.';

export const NOT_CHARGED = 'You were not charged.';

const OTHER_CARD =
  'Your bank gives no further reason. Use another card, or ask your bank to allow the payment and try again.';
const MONEY = 'Use another card, or try again once this one has enough money or a higher limit.';
const DETAILS = 'Check the card’s details and try again, or use another card.';
const EXPIRY = 'Check the expiry date, or use another card.';
const CONFIRM = 'Try again and confirm the payment in your bank’s app or window, or use another card.';
const LATER = 'Wait a minute and try again. If it fails again, use another card.';
const UNSUITABLE = 'This card cannot be used for this payment. Use another card.';
const TWICE = 'Your bank saw the same payment a moment ago. Check your purchases before you pay again.';

/**
 * The next step per decline code or error code (docs.stripe.com/declines/codes and docs.stripe.com/error-codes). The codes
 * of a lost or stolen card and of suspected fraud are missing on purpose: Stripe asks to show them as any decline.
 */
const NEXT_STEPS: ReadonlyMap<string, string> = new Map([
  ...['insufficient_funds', 'card_velocity_exceeded', 'withdrawal_count_limit_exceeded'].map(
    (code) => [code, MONEY] as const,
  ),
  ...['expired_card', 'invalid_expiry_month', 'invalid_expiry_year'].map((code) => [code, EXPIRY] as const),
  ...[
    'incorrect_address',
    'incorrect_cvc',
    'incorrect_number',
    'incorrect_pin',
    'incorrect_zip',
    'invalid_account',
    'invalid_cvc',
    'invalid_number',
    'invalid_pin',
  ].map((code) => [code, DETAILS] as const),
  ...[
    'approve_with_id',
    'authentication_failure',
    'authentication_not_handled',
    'authentication_required',
    'mobile_device_authentication_required',
    'offline_pin_required',
    'online_or_offline_pin_required',
    'payment_intent_authentication_failure',
  ].map((code) => [code, CONFIRM] as const),
  ...[
    'issuer_not_available',
    'processing_error',
    'reenter_transaction',
    'try_again_later',
    'lock_timeout',
    'rate_limit',
  ].map((code) => [code, LATER] as const),
  ...[
    'card_not_supported',
    'currency_not_supported',
    'pin_try_exceeded',
    'service_not_allowed',
    'transaction_not_allowed',
  ].map((code) => [code, UNSUITABLE] as const),
  ['duplicate_transaction', TWICE],
  ['test_mode_live_card', 'This site takes test cards only, such as 4242 4242 4242 4242.'],
  ['testmode_decline', 'This test card is always declined. Use another one.'],
]);

/** The sentence for a declined card, and the next step. Codes as Stripe gives them; any may be missing. */
export function declineHelp({
  decline_code: declineCode,
  code,
}: {
  decline_code?: string | undefined;
  code?: string | undefined;
}): string {
  const next = NEXT_STEPS.get(declineCode ?? '') ?? NEXT_STEPS.get(code ?? '') ?? OTHER_CARD;
  return `${NOT_CHARGED} ${next}`;
}
