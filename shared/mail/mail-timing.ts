import { growingWaitMs } from '../backoff';
import { DAY, HOUR, MINUTE, SECOND } from '../clock';

/** A notice is worth trying for this long; a code for as long as it can be used. */
export const NOTICE_MAIL_LASTS_MS = HOUR;
/** The news that beta access is approved is of use for longer than a mail server is usually away. */
export const BETA_MAIL_LASTS_MS = DAY;
/** Longer than one whole delivery to the mail server: a claim that outlives this belongs to a sender that died. */
export const MAIL_CLAIM_LASTS_MS = 2 * MINUTE;

const FIRST_WAIT_MS = 2 * SECOND;
const LONGEST_WAIT_MS = 2 * MINUTE;

/** 2, 4, 8 … 120 s after the 1st, 2nd, 3rd … failed attempt, spread by up to a fifth either way. */
export function mailRetryWaitMs(attempt: number, random: () => number = Math.random): number {
  return growingWaitMs({ attempt, firstMs: FIRST_WAIT_MS, longestMs: LONGEST_WAIT_MS, random });
}
