import type { Generated } from 'kysely';

/** The proxy that a task was first given. Deleted a day after it was closed: the ledger has what the task took. */
export interface ProxyAssignmentsTable {
  user_id: string;
  task_id: string;
  /** The proxy's URL, sealed with the session secret. */
  sealed_proxy: string;
  /** 1, 2, 3 … per account, in the order of assignment. 0 in rows of earlier releases. */
  ordinal: Generated<number>;
  created_at: string;
  /** When the task took its tokens, or, a day after the assignment, lost them unused. Null while open. */
  closed_at: string | null;
}
