import { DAY, HOUR, MINUTE, SECOND } from '../clock';
import { exponentialBackoffMs } from '../backoff';

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

const MAX_BACKOFF_MS = 30 * SECOND;
/** Spreads the retries of several deliveries, always after the requested wait. */
const RATE_LIMIT_SPREAD_MS = 50;

/** 1, 2, 4, 8 … 30 s after the 1st, 2nd, 3rd … failed attempt, spread by up to a fifth either way. */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  return exponentialBackoffMs({ attempt, firstMs: SECOND, maxMs: MAX_BACKOFF_MS, random });
}

/** The required wait plus a small random spread. */
export function rateLimitWaitMs(waitMs: number, random: () => number = Math.random): number {
  return waitMs + Math.ceil(random() * RATE_LIMIT_SPREAD_MS);
}
