/** The proxy that a task was first given. */
export interface ProxyAssignmentsTable {
  user_id: string;
  task_id: string;
  /** The proxy's URL, sealed with the session secret. */
  sealed_proxy: string;
  created_at: string;
}
