const STATUS_FAILED = 'Failed to update monitoring status';
const WEBHOOK_FAILED = 'Failed to update webhook URL';
const DELIVERY_FAILED = 'Failed to update the delivery. Please try again.';

/** The specification's error messages, by intent. */
export const WATCH_FAILED = {
  start: STATUS_FAILED,
  stop: STATUS_FAILED,
  check: 'Failed to trigger check',
  test: 'Failed to send test alert',
  'set-webhook': WEBHOOK_FAILED,
  'delete-webhook': WEBHOOK_FAILED,
  settings: 'Failed to save the settings. Please try again.',
  retry: DELIVERY_FAILED,
  handle: DELIVERY_FAILED,
  'retry-members': DELIVERY_FAILED,
  'handle-members': DELIVERY_FAILED,
} as const;

/** The sentences for unexpected failures of the pages of a watch, by intent. */
export const WATCH_PAGE_FAILED = {
  add: 'Failed to add the watch. Please try again.',
  edit: 'Failed to save the watch. Please try again.',
  delete: 'Failed to delete the watch. Please try again.',
} as const;

/** The sentences for unexpected failures of the pages of products, by intent. */
export const PRODUCT_FAILED = {
  preview: 'Failed to look at the page. Please try again.',
  add: 'Failed to add the product. Please try again.',
  'save-product': 'Failed to save the product. Please try again.',
  'delete-product': 'Failed to delete the product. Please try again.',
  'retire-product': 'Failed to change the product. Please try again.',
  'save-shop': 'Failed to save the shop. Please try again.',
  'drop-suggestion': 'Failed to remove the suggestion. Please try again.',
  'delete-case': 'Failed to delete the case. Please try again.',
} as const;
