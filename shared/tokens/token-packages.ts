import type { Database } from '../database/schema';
import { z } from 'zod';
import { addPackage, packageFields, type NewPackage } from '../payments/packages';

/** A number of tokens that can be bought. */
export interface TokenPackage {
  id: string;
  name: string;
  description: string;
  tokenCount: number;
  pricePence: number;
}

/** The packages that can be bought, the cheapest first. */
export async function listTokenPackages(db: Database): Promise<TokenPackage[]> {
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

const MAX_COUNT = 1_000_000;
const COUNT_RULE = 'The number of tokens is a whole number from 1 to 1,000,000.';

export const newTokenPackage = z.object({
  ...packageFields,
  tokenCount: z.int(COUNT_RULE).min(1, COUNT_RULE).max(MAX_COUNT, COUNT_RULE),
});

/** Adds a token package, which can be bought at once. Throws `Conflict` when its id is taken. */
export async function addTokenPackage(
  db: Database,
  added: NewPackage<z.output<typeof newTokenPackage>>,
): Promise<void> {
  const { tokenCount: token_count } = added.fields;
  await addPackage(db, added, (trx, row) =>
    trx
      .insertInto('token_packages')
      .values({ ...row, token_count })
      .execute(),
  );
}
