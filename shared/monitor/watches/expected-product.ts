import type { Database } from '../../database/schema';
import type { ExpectedProduct } from '../checks/verdict';
import type { Watch } from './watches';

/** Reads what a product watch knows of its product, for the judge of its page. */
export async function readExpectedProduct(db: Database, watch: Watch): Promise<ExpectedProduct> {
  const product = await db
    .selectFrom('products')
    .select(['title', 'gtin'])
    .where('id', '=', watch.product_id)
    .executeTakeFirstOrThrow();
  return { ...product, variantKey: watch.variant_key };
}
