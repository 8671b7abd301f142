import { formatPounds } from '#shared/money';

const REQUEST_BETA_FAILED = 'Failed to request beta access. Please try again.';

/** For the two pages' forms: per intent, the sentence for an unexpected failure (specification, section 8). */
export const DASHBOARD_FAILED = {
  'request-beta': REQUEST_BETA_FAILED,
  'start-tokens': 'Unknown error',
  'checkout-tokens': 'Unknown error',
} as const;

export const SUBSCRIPTION_FAILED = {
  ...DASHBOARD_FAILED,
  'start-subscription': 'Unknown error',
  'checkout-subscription': 'Unknown error',
  cancel: 'Your subscription could not be cancelled. Please try again.',
  reactivate: 'Your subscription could not be reactivated. Please try again.',
  preview: 'The change could not be previewed. Please try again.',
  change: 'Your plan could not be changed. Please check your current plan, then try again.',
  portal: 'Stripe’s page could not be opened. Please try again.',
} as const;

/** The specification's sentences for a card payment that fails in the browser (section 8). */
export const CARD_ERRORS = {
  notLoaded: 'Stripe has not loaded yet. Please try again.',
  noCardForm: 'Card element not found. Please refresh and try again.',
  failed: 'Payment failed',
  notCompleted: 'Payment was not completed successfully',
  unexpected: 'An unexpected error occurred',
} as const;

/** Why nothing can be bought. off: Stripe's variables are missing; unavailable: Stripe cannot be used with them. */
export type PaymentHold = 'off' | 'unavailable';

/** Shown where a button would charge, at the button and for the whole page. */
export const PAYMENT_HOLDS = {
  off: {
    button: 'Payment is not set up here.',
    page: 'Payment is not set up here, so nothing can be bought.',
  },
  unavailable: {
    button: 'Payment is not available at the moment.',
    page: 'Payment is not available at the moment, so nothing can be bought or changed. Your plan and your tokens stay as they are. Please come back later.',
  },
} as const satisfies Record<PaymentHold, { button: string; page: string }>;

/** Free members may buy tokens, and read this wherever they do. */
export const TOKENS_NEED_PRO =
  'Tokens are spent by the desktop app, which needs Pro. They do not expire, so you can keep them until then.';

/** Shown beside the prices of tokens while there is no version of the desktop app to download. */
export const NO_APP_YET =
  'There is no desktop app to download yet, so tokens cannot be spent yet. What you buy now stays in your balance.';

/**
 * The end of the sentence about what is due for a subscription today, which Stripe decides: `duePence`, or null while only
 * the price is known. Customers can have credit, discounts and debts at Stripe (docs.stripe.com/billing/customer/balance).
 */
export function describeDifference(pricePence: number, duePence: number | null): string {
  if (duePence === null) return ', less any credit on your account';
  if (duePence === pricePence) return '';
  return duePence < pricePence
    ? `: ${formatPounds(pricePence)} less ${formatPounds(pricePence - duePence)} of credit or discount`
    : `: ${formatPounds(pricePence)} plus ${formatPounds(duePence - pricePence)} that your account owes or that is tax`;
}
