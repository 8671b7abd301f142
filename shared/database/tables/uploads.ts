/** One upload: a folder of files under the same id. The record keeps disk and database in step. */
export interface UploadsTable {
  id: string;
  kind: 'media' | 'tracking' | 'avatar' | 'release';
  /**
   * pending: its files are being written, or no row refers to it yet (written before the first byte); attached: a row
   * refers to it (written in the transaction of that row); deleted: its files must be removed (written in the transaction
   * that removes the reference). The record is removed after the files.
   */
  status: 'pending' | 'attached' | 'deleted';
  created_at: string;
  updated_at: string;
}
