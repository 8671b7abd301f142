/** Who did what: sign-ins, admin grants, every admin write and every change by a command. */
export interface AuditLogTable {
  id: string;
  /** Null for a command typed on the machine and for what the environment's lists grant. */
  actor_id: string | null;
  /** Such as `monitor.start`. */
  action: string;
  subject: string | null;
  /** JSON, without secrets. */
  details: string | null;
  created_at: string;
}
