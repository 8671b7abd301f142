/** Site-wide settings that admins write; values are text, JSON where the key says so. */
export interface SettingsTable {
  key: string;
  value: string;
  description: string | null;
  updated_at: string;
}

/** One upload: a folder of files under the same id. The record keeps the disk consistent with the database. */
export interface UploadsTable {
  id: string;
  /** `media`: of an article, or the image of a product. `export`: an archive of a member's data. */
  kind: 'media' | 'tracking' | 'avatar' | 'release' | 'export';
  /**
   * pending: its files are being written, or no row refers to it yet (written before the first byte); attached: a row
   * refers to it (written in the transaction of that row); deleted: its files must be removed (written in the transaction
   * that removes the reference). The record is removed after the files.
   */
  status: 'pending' | 'attached' | 'deleted';
  created_at: string;
  updated_at: string;
}

/** One row. `revision` is the content version: it grows with each change to public content. */
export interface ContentStateTable {
  id: number;
  revision: number;
}

/** The audit log: sign-ins, admin grants, every admin write and every change by a command. */
export interface AuditLogTable {
  id: string;
  /** Null for a command on the machine and for grants by the environment's lists. */
  actor_id: string | null;
  /** Such as `monitor.start`. */
  action: string;
  subject: string | null;
  /** JSON, without secrets. */
  details: string | null;
  created_at: string;
}
