/** The sentences for unexpected failures of the pages of a watch, by intent. */
export const WATCH_PAGE_FAILED = {
  add: 'Failed to add the watch. Please try again.',
  edit: 'Failed to save the watch. Please try again.',
  delete: 'Failed to delete the watch. Please try again.',
} as const;
