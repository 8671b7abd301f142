import type { Generated } from 'kysely';

/** One row: the state of the daemons that belongs to no watch. */
export interface DaemonStateTable {
  id: 'daemon';
  /** Set by the watchdog when it notifies the admins that the daemon is gone; cleared when it notifies them of the return. */
  gone_notified_at: string | null;
  /**
   * Written with each step of the wall clock (clock-steps.ts): when the machine started, by the clock that the due times
   * follow; and the milliseconds by which the other stored times lag behind that clock, less than five seconds.
   */
  clock_step_at: string | null;
  clock_step_ms: Generated<number>;
}

/** One row per daemon process, written by that process. */
export interface DaemonHeartbeatsTable {
  /** The instance id, new at every start. */
  id: string;
  /** The name of its host, which others may have as well. */
  host: string;
  /** Where its process id is unique (process-place.server.ts); null: unknown, as in rows of earlier releases. */
  boot_id: string | null;
  pid_namespace: string | null;
  pid: number;
  started_at: string;
  beat_at: string;
  /** Set by an orderly shutdown, after which missing heartbeats are expected. */
  stopped_at: string | null;
  redis_ok: 0 | 1;
  /** Why this daemon could not use Redis, in a sentence for an operator; null while it can. */
  redis_fault: string | null;
}
