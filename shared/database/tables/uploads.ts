/** One uploaded thing: a folder of files under the same id. The ledger that keeps disk and database in step. */
export interface UploadsTable {
  id: string;
  kind: 'media' | 'tracking' | 'avatar';
  /**
   * pending: its files are being written, or nothing points at it yet (written before the first byte is); kept: a
   * record points at it (written in the transaction of that record); doomed: its files must go (written in the
   * transaction that lets go of it). The row leaves when the files have.
   */
  status: 'pending' | 'kept' | 'doomed';
  created_at: string;
  updated_at: string;
}

/** A stored folder that no upload of this database owns. Written by the sweep alone; the row leaves with the folder. */
export interface StrayUploadsTable {
  id: string;
  seen_at: string;
}

/** Since when the sweep of this database has looked at the uploads without a gap; one row, written by each look. */
export interface UploadWatchTable {
  id: 1;
  since: string;
  looked_at: string;
}
