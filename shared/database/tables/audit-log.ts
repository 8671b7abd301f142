/** Who did what: sign-ins, admin grants, every admin write and every change by a command. */
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
