import type { Generated } from 'kysely';

/** One row: what the daemons remember that belongs to no watch. */
export interface DaemonStateTable {
  id: 'daemon';
  /** Written by the watchdog when it notified the admins that the daemon is gone; cleared when it notified them of its return. */
  gone_notified_at: string | null;
  /** When a process last moved the stored times along with a step of the wall clock, and by how many milliseconds. */
  clock_step_at: string | null;
  clock_step_ms: Generated<number>;
}
