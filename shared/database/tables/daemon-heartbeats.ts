/** One row per daemon process, written by that process. */
export interface DaemonHeartbeatsTable {
  /** The instance id, new at every start. */
  id: string;
  host: string;
  pid: number;
  started_at: string;
  beat_at: string;
  /** Set by an orderly shutdown, after which missing heartbeats are expected. */
  stopped_at: string | null;
  redis_ok: 0 | 1;
  /** Why this daemon could not use Redis, in a sentence for an operator; null while it can. */
  redis_fault: string | null;
}
