import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema';

/** A number of tokens that can be bought. */
export interface TokenPackage {
  id: string;
  name: string;
  description: string;
  tokenCount: number;
  pricePence: number;
}

/** The packages that can be bought, the cheapest first. */
export async function listTokenPackages(db: Kysely<Schema>): Promise<TokenPackage[]> {
  const rows = await db
    .selectFrom('token_packages')
    .selectAll()
    .where('retired_at', 'is', null)
    .orderBy('price_pence')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    tokenCount: row.token_count,
    pricePence: row.price_pence,
  }));
}
