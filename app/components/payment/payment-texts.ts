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
  change: 'Your plan could not be changed. Please look at your current plan, then try again.',
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

/** Shown where a button would charge while Stripe's variables are missing. */
export const NOT_SET_UP = 'Payment is not set up here, so nothing can be bought.';

/** Free members may buy tokens, and read this wherever they do. */
export const TOKENS_NEED_PRO =
  'Tokens are spent by the desktop app, which needs Pro. They do not expire, so they wait for you until then.';
