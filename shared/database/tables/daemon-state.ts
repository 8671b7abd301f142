import type { Generated } from 'kysely';

/** One row: the state of the daemons that belongs to no watch. */
export interface DaemonStateTable {
  id: 'daemon';
  /**
   * Set by the watchdog when it notifies the admins that the daemon is gone; cleared when it notifies them of the
   * return.
   */
  gone_notified_at: string | null;
  /** When a process last moved the stored times along with a step of the wall clock, and by how many milliseconds. */
  clock_step_at: string | null;
  clock_step_ms: Generated<number>;
}
