import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema';

/** An account as beta access is decided over it. Times are ISO-8601 UTC. */
export interface BetaUser {
  id: string;
  username: string;
  email: string;
  /** Null for what was never asked for. */
  requestedAt: string | null;
  accountCreated: string;
  /** Null while it is not approved. */
  approvedAt: string | null;
}

/** What every answer about beta users selects. */
export const BETA_USER_COLUMNS = [
  'id',
  'username',
  'email',
  'beta_requested_at as requestedAt',
  'created_at as accountCreated',
  'beta_approved_at as approvedAt',
] as const;

/** Who asked and waits for an answer, the longest wait first. */
export function listPendingUsers(db: Kysely<Schema>): Promise<BetaUser[]> {
  return db
    .selectFrom('users')
    .select(BETA_USER_COLUMNS)
    .where('beta_requested_at', 'is not', null)
    .where('beta_approved_at', 'is', null)
    .orderBy('beta_requested_at')
    .orderBy('id')
    .execute();
}

/** Who was let in, the newest first. */
export function listApprovedUsers(db: Kysely<Schema>): Promise<BetaUser[]> {
  return db
    .selectFrom('users')
    .select(BETA_USER_COLUMNS)
    .where('beta_approved_at', 'is not', null)
    .orderBy('beta_approved_at', 'desc')
    .orderBy('id')
    .execute();
}
