/** One row per daemon process, written by itself. */
export interface DaemonHeartbeatsTable {
  /** The instance: new at every start. */
  id: string;
  host: string;
  pid: number;
  started_at: string;
  beat_at: string;
  /** Set by an orderly shutdown: its silence afterwards is no news. */
  stopped_at: string | null;
  redis_ok: 0 | 1;
}
