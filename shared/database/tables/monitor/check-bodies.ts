/** The beginning of a check's response body, kept for a week and deleted with its check. */
export interface CheckBodiesTable {
  check_id: string;
  /** Copied from the check, so that retention needs no join. */
  check_timestamp: string;
  /** At most 100 KB of UTF-8, compressed by zlib. */
  deflated: Uint8Array;
}
