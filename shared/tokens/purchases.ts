import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema';

/** A purchase of tokens as its member sees it. */
export interface TokenPurchase {
  id: string;
  packageName: string;
  tokenCount: number;
  amountPence: number;
  status: 'pending' | 'completed' | 'failed';
  createdAt: string;
}

/** The purchases of an account, newest first; abandoned ones are left out. */
export async function listPurchases(
  _db: Kysely<Schema>,
  _query: { accountId: string; limit?: number },
): Promise<TokenPurchase[]> {
  throw new Error('not built yet');
}

/** One purchase of an account; null for another account's. */
export async function findPurchase(
  _db: Kysely<Schema>,
  _query: { accountId: string; purchaseId: string },
): Promise<TokenPurchase | null> {
  throw new Error('not built yet');
}
