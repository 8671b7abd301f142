/** Who changed what: every admin write and every change by a command. */
export interface AuditLogTable {
  id: string;
  /** Null for a command typed on the machine. */
  actor_id: string | null;
  /** Such as `monitor.start`. */
  action: string;
  subject: string | null;
  /** JSON, without secrets. */
  details: string | null;
  created_at: string;
}
