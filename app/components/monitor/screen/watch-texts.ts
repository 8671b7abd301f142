const STATUS_FAILED = 'Failed to update monitoring status';

/** The specification's error messages, by intent. */
export const WATCH_FAILED = {
  start: STATUS_FAILED,
  stop: STATUS_FAILED,
  check: 'Failed to trigger check',
} as const;
