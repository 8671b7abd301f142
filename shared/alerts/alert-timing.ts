import { DAY, HOUR, MINUTE, SECOND } from '../clock';

/** The head start of the instant audience. */
export const FREE_DELAY_MS = 30 * SECOND;
/** Later than this after detection an alert is no news any more. */
export const NEWS_LASTS_MS = 10 * MINUTE;
/** An edit of a message that was posted is worth trying for this long. */
export const EDIT_LASTS_MS = HOUR;
/** Admins want to hear of a fault even after a night. */
export const NOTICE_LASTS_MS = DAY;
/** Longer than one whole request: a claim that outlives this belongs to a sender that died. */
export const CLAIM_LASTS_MS = 20 * SECOND;
