import type { Generated } from 'kysely';

/** One row: what the monitor must remember between two checks, whoever runs them. */
export interface MonitorStateTable {
  id: 'monitor';
  /** Written by start and stop. */
  running: 0 | 1;
  started_at: string | null;
  stopped_at: string | null;
  /** The check lease: who checks now, until when, and a number that only grows (the fencing token). Written by the checker. */
  lease_owner: string | null;
  lease_until: string | null;
  lease_token: number;
  /** The rest is written by the transaction that records a check. */
  last_check_id: string | null;
  last_verdict: 'open' | 'waiting_room' | 'unknown' | null;
  last_checked_at: string | null;
  last_conclusive_at: string | null;
  /** Opens in a row; unknowns between two opens do not break it. */
  opens_in_row: number;
  /** When a weak sign was first seen that still waits to be confirmed. */
  weak_since: string | null;
  /** When the confirming look at a weak sign is due. */
  recheck_due_at: string | null;
  /** Challenges and blocks in a row. */
  refusals_in_row: number;
  /** Scheduled checks wait until then after a challenge, a block or a busy fetching service. */
  not_before: string | null;
  /** Written by the watchdog when it told the admins of the silence; cleared when it told them that it is over. */
  silence_told_at: string | null;
  /** The same for a daemon that is gone. */
  daemon_gone_told_at: string | null;
  /** When a process last moved the stored times along with a step of the wall clock, and by how many milliseconds. */
  clock_step_at: string | null;
  clock_step_ms: Generated<number>;
}
