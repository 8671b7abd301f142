import { DAY, HOUR, MINUTE, SECOND } from '../clock';

/** The head start of the instant audience. */
export const FREE_DELAY_MS = 30 * SECOND;
/** An alert that is not sent this long after detection expires. */
export const ALERT_LIFETIME_MS = 10 * MINUTE;
/** An edit of a posted message is tried for this long. */
export const EDIT_LIFETIME_MS = HOUR;
/** A notice stays relevant overnight. */
export const NOTICE_LIFETIME_MS = DAY;
/** The admins are told of an alert that is not sent so long after it was due. */
export const LATE_AFTER_MS = MINUTE;
/** A notice to the admins that has not reached their webhook by then, or after so many attempts, goes by mail as well. */
export const NOTICE_MAIL_AFTER_MS = MINUTE;
export const NOTICE_MAIL_AFTER_ATTEMPTS = 3;
