/** Identifies a commit whose answer was lost. */
export interface StartedTransaction {
  id: string;
  /** `SERVER_RUN` where the id was assigned. */
  server_run: string;
}

/**
 * Differs between two runs of a server that may have assigned the same id twice: ids that were not written yet are assigned
 * again after a crash. The start of the postmaster changes with each of its starts and with each standby. A crash of one
 * backend recovers the database under the same postmaster, but resets the statistics, as each unclean end does
 * (postgresql.org/docs/current/monitoring-stats.html, "Statistics Collection Configuration").
 */
export const SERVER_RUN = "concat(pg_postmaster_start_time(), ' ', pg_stat_get_bgwriter_stat_reset_time())";
