import { DAY, HOUR, MINUTE, SECOND } from '../clock';

/** The head start of the instant audience. */
export const FREE_DELAY_MS = 30 * SECOND;
/** An alert that is not sent this long after detection expires. */
export const ALERT_LIFETIME_MS = 10 * MINUTE;
/** An edit of a posted message is tried for this long. */
export const EDIT_LIFETIME_MS = HOUR;
/** A notice stays relevant overnight. */
export const NOTICE_LIFETIME_MS = DAY;
/** The admins are notified when an alert is this late. */
export const LATE_AFTER_MS = MINUTE;
/** A notice that has not reached the admins' webhook after this time, or this many attempts, is also mailed. */
export const NOTICE_MAIL_AFTER_MS = MINUTE;
export const NOTICE_MAIL_AFTER_ATTEMPTS = 3;
