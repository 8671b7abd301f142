// Without zod, because the browser loads it.

/** The longest reason for a cancellation that is stored. */
export const MAX_REASON_LENGTH = 500;

/** The reason of a cancellation because an admin disabled the account. */
export const DISABLED_REASON = 'The account was disabled.';

/** The reason of the end of a subscription because the member deletes the account. */
export const DELETED_REASON = 'The account is being deleted.';

export const REASON_RULE = `Please use at most ${MAX_REASON_LENGTH} characters.`;
