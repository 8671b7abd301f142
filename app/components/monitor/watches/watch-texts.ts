const STATUS_FAILED = 'Failed to update monitoring status';

/** The sentences for unexpected failures of the list's forms, by intent. */
export const LIST_FAILED = { start: STATUS_FAILED, stop: STATUS_FAILED } as const;

/** The sentences for unexpected failures of the pages of a watch, by intent. */
export const WATCH_PAGE_FAILED = {
  add: 'Failed to add the watch. Please try again.',
  edit: 'Failed to save the watch. Please try again.',
  delete: 'Failed to delete the watch. Please try again.',
} as const;
