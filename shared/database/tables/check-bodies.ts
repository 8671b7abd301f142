/** The beginning of the page that a check saw; kept for a week. Deleted with its check. */
export interface CheckBodiesTable {
  check_id: string;
  /** The check's own, so that retention needs no join. */
  check_timestamp: string;
  /** At most 100 KB of UTF-8, compressed by zlib. */
  deflated: Uint8Array;
}
