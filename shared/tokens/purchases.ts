import type { Selectable } from 'kysely';
import type { Database } from '../database/schema';
import type { TokenPurchasesTable } from '../database/tables/payments/tokens';

/** A purchase of tokens as its member sees it. */
export interface TokenPurchase {
  id: string;
  packageName: string;
  tokenCount: number;
  amountPence: number;
  status: 'pending' | 'completed' | 'failed';
  createdAt: string;
}

const DEFAULT_LIMIT = 100;

/** Null: abandoned before any payment, and shown nowhere. */
function toPurchase(row: Selectable<TokenPurchasesTable>): TokenPurchase | null {
  if (row.status === 'abandoned') return null;
  return {
    id: row.id,
    packageName: row.package_name,
    tokenCount: row.token_count,
    amountPence: row.amount_pence,
    status: row.status,
    createdAt: row.created_at,
  };
}

/**
 * The purchases of an account, newest first, by default the last hundred; abandoned ones are left out. `submitted`:
 * without those whose payment was never submitted, except `returned`, whose payment has not been read.
 */
export async function listPurchases(
  db: Database,
  {
    accountId,
    limit = DEFAULT_LIMIT,
    submitted = null,
  }: { accountId: string; limit?: number; submitted?: { returned: string | null } | null },
): Promise<TokenPurchase[]> {
  const rows = await db
    .selectFrom('token_purchases')
    .selectAll()
    .where('user_id', '=', accountId)
    .where('status', '<>', 'abandoned')
    .$if(submitted !== null, (query) =>
      query.where((row) =>
        row.or([
          row('status', '<>', 'pending'),
          row('submitted_at', 'is not', null),
          row('id', '=', submitted?.returned ?? ''),
        ]),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toPurchase).filter((purchase) => purchase !== null);
}

/** One purchase of an account; null for another account's and for abandoned ones. */
export async function findPurchase(
  db: Database,
  { accountId, purchaseId }: { accountId: string; purchaseId: string },
): Promise<TokenPurchase | null> {
  const row = await db
    .selectFrom('token_purchases')
    .selectAll()
    .where('id', '=', purchaseId)
    .where('user_id', '=', accountId)
    .executeTakeFirst();
  return row === undefined ? null : toPurchase(row);
}
