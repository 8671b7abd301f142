import type { Generated } from 'kysely';

/** One row: the state of the daemons that belongs to no watch. */
export interface DaemonStateTable {
  id: 'daemon';
  /**
   * Set by the watchdog when it notifies the admins that the daemon is gone; cleared when it notifies them of the
   * return.
   */
  gone_notified_at: string | null;
  /**
   * Written with each step of the wall clock (clock-steps.ts): when the machine started, by the clock that the due times
   * follow; and the milliseconds by which the other stored times lag behind that clock, less than five seconds.
   */
  clock_step_at: string | null;
  clock_step_ms: Generated<number>;
}
