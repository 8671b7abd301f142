import type { Generated } from 'kysely';

/** One row per page that is monitored: how it is checked, and what must be remembered between two checks of it. */
export interface WatchesTable {
  id: string;
  /** How people name it: in addresses and on the command line. */
  slug: string;
  shop: string;
  title: string;
  /** Null: MONITOR_TARGET_URL. */
  url: string | null;
  /** IANA name; the hours are read by this clock. */
  time_zone: string;
  /** Two whole hours of the shop's day, such as "9-21". */
  hours: string;
  interval_seconds: number;
  /** Written by start and stop. */
  running: Generated<0 | 1>;
  started_at: string | null;
  stopped_at: string | null;
  /** The check lease: which daemon checks now, until when, and a number that only grows (the fencing token). Written by the checker. */
  lease_owner: string | null;
  lease_until: string | null;
  lease_token: Generated<number>;
  /** The rest is written by the transaction that records a check. */
  last_check_id: string | null;
  last_verdict: 'open' | 'waiting_room' | 'unknown' | null;
  last_checked_at: string | null;
  last_conclusive_at: string | null;
  /** Opens in a row; unknowns between two opens do not break it. */
  opens_in_row: Generated<number>;
  /** When a weak sign was first seen that still waits to be confirmed. */
  weak_since: string | null;
  /** When the confirming check of a weak sign is due. */
  recheck_due_at: string | null;
  /** Challenges and blocks in a row. */
  refusals_in_row: Generated<number>;
  /** Scheduled checks wait until then after a challenge, a block or a busy fetching service. */
  not_before: string | null;
  /** Written by the watchdog when it notified the admins of the silence; cleared when it notified them of the end. */
  silence_notified_at: string | null;
}
