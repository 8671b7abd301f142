import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema';

/** The tokens that one task took. */
export interface TokenUse {
  id: string;
  taskId: string;
  /** 1 or 2. */
  tokens: number;
  createdAt: string;
}

/** The size of a list of uses. */
export const USAGE_LIMIT = { default: 50, max: 100 } as const;

/** The tasks of an account that took tokens, newest first. */
export async function listUsage(
  db: Kysely<Schema>,
  { accountId, limit = USAGE_LIMIT.default }: { accountId: string; limit?: number },
): Promise<TokenUse[]> {
  const rows = await db
    .selectFrom('token_ledger')
    .select(['id', 'task_id', 'tokens', 'created_at'])
    .where('user_id', '=', accountId)
    .where('kind', '=', 'consume')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, task_id, tokens, created_at }) => ({
    id,
    // The database refuses a `consume` without a task.
    taskId: task_id ?? '',
    tokens: -tokens,
    createdAt: created_at,
  }));
}
