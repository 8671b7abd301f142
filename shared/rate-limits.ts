import { DAY, HOUR, MINUTE } from './clock';

interface Limit {
  points: number;
  windowMs: number;
}

/** Uses per key and window. A window starts at its first use. */
export const LIMITS = {
  /** By account and client network. */
  loginAccount: { points: 10, windowMs: 15 * MINUTE },
  /** By account, from all networks: wrong passwords. NIST SP 800-63B-4, section 3.2.2, allows 100 in a row. */
  loginEverywhere: { points: 50, windowMs: HOUR },
  /** By client network, as are the limits below without a comment on their key. */
  loginAddress: { points: 100, windowMs: HOUR },
  register: { points: 10, windowMs: HOUR },
  /** In addition to the five attempts of each code. */
  verifyAddress: { points: 60, windowMs: HOUR },
  /** By account, from any network; separately for each pending sign-in and for the API. */
  verifyAccount: { points: 15, windowMs: HOUR },
  /** By account, from all networks and sign-ins but those that Discord has authenticated: wrong codes. */
  verifyEverywhere: { points: 40, windowMs: HOUR },
  resend: { points: 30, windowMs: HOUR },
  /** Each asks for a challenge, with or without an attempt to sign in. */
  passkeyStart: { points: 120, windowMs: 15 * MINUTE },
  passkeyAddress: { points: 60, windowMs: HOUR },
  discord: { points: 60, windowMs: 15 * MINUTE },
  /** By OAuth state: it is valid for one callback. */
  discordState: { points: 1, windowMs: 15 * MINUTE },
  /** By account, as are all limits below. */
  checkNow: { points: 6, windowMs: MINUTE },
  judgeAgain: { points: 20, windowMs: MINUTE },
  /** Looking at a page before a watch of it is added. */
  pagePreview: { points: 20, windowMs: MINUTE },
  webhookSave: { points: 20, windowMs: MINUTE },
  /** Adding and changing watches: each may request the page that was entered. */
  watchSave: { points: 100, windowMs: MINUTE },
  webhookTest: { points: 6, windowMs: MINUTE },
  accountWrite: { points: 60, windowMs: MINUTE },
  /** Sensitive changes of an account: wrong current passwords and codes. */
  passwordChange: { points: 10, windowMs: 15 * MINUTE },
  /** Tests of a member's own alerts. */
  alertTest: { points: 6, windowMs: 10 * MINUTE },
  /** Archives of a member's data. */
  dataExport: { points: 5, windowMs: DAY },
  upload: { points: 60, windowMs: MINUTE },
  /** Calls that ask Stripe. */
  payment: { points: 30, windowMs: MINUTE },
  /** Each task of the desktop app makes one call of each. */
  consume: { points: 600, windowMs: MINUTE },
  proxyConfig: { points: 600, windowMs: MINUTE },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;
