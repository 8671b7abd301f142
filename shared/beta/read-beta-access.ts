import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema';

/** Where an account stands with beta access. */
export interface BetaAccess {
  approved: boolean;
  /** ISO time; null: not requested. */
  requestedAt: string | null;
}

/** Reads it afresh. Throws when there is no such account. */
export async function readBetaAccess(
  db: Kysely<Schema>,
  { accountId }: { accountId: string },
): Promise<BetaAccess> {
  const { beta_approved_at, beta_requested_at } = await db
    .selectFrom('users')
    .select(['beta_approved_at', 'beta_requested_at'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { approved: beta_approved_at !== null, requestedAt: beta_requested_at };
}
