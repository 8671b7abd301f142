/** The specification's words for what did not work. */
export const ADD_FAILED = 'Failed to add tracking set. Please try again.';
const SAVE_FAILED = 'Failed to save tracking sets. Please try again.';

/** By the intent of the form. */
export const TRACKING_FAILED = {
  add: ADD_FAILED,
  enable: SAVE_FAILED,
  switch: SAVE_FAILED,
  rename: SAVE_FAILED,
  up: SAVE_FAILED,
  down: SAVE_FAILED,
  remove: SAVE_FAILED,
} as const;
