import { z } from 'zod';
import { closeRemovedAlerts } from '../../alerts/alert-changes';
import { announceEnd } from '../../alerts/product-announcements';
import { writeAudit, type Actor } from '../../audit/write-audit';
import { toIso, type Clock } from '../../clock';
import { bumpContentVersion } from '../../content/content-version';
import type { Database } from '../../database/schema';
import { inTransaction } from '../../database/transaction';
import { DomainError } from '../../errors';
import { listRolesAgain } from '../../roles/watch-roles';
import { stopMonitoring } from '../start-stop';
import { productFields } from '../watches/watch-fields';
import { dropStoredImage, imageChanges, NO_IMAGE } from './product-image';
import { findProductByGtin, otherGtin, requireProduct, type Product } from './products';

const PRICE_RULE = 'Please enter a price in pounds, such as 49.99.';

/** The fields of a product that an admin changes; null removes one. */
export const productChanges = z
  .object({
    title: productFields.shape.title,
    brand: productFields.shape.brand.nullable(),
    gtin: productFields.shape.gtin.nullable(),
    releasedOn: z.iso.date('Please enter a date such as 2026-11-27.').nullable(),
    listPrice: z
      .number(PRICE_RULE)
      .min(0.01, PRICE_RULE)
      .max(100_000, PRICE_RULE)
      .refine((pounds) => Math.abs(pounds * 100 - Math.round(pounds * 100)) < 1e-6, PRICE_RULE)
      .nullable()
      .describe('In pounds.'),
    imageUrl: productFields.shape.imageUrl.nullable(),
  })
  .partial();
export type ProductChanges = z.output<typeof productChanges>;

interface ProductWrite {
  slug: string;
  actor: Actor;
  clock: Clock;
}

/**
 * Changes fields of a product and writes the audit log. Throws `NotFound` (`unknown_product`), and `Conflict` (`other_gtin`)
 * when another product has the GTIN.
 */
export async function changeProduct(
  db: Database,
  { slug, changes, actor, clock }: ProductWrite & { changes: ProductChanges },
): Promise<Product> {
  return inTransaction(db, async (trx) => {
    const product = await requireProduct(trx, slug);
    const { title, brand, gtin, releasedOn, listPrice, imageUrl } = changes;
    const owner = gtin == null ? null : await findProductByGtin(trx, gtin);
    if (owner !== null && owner.id !== product.id)
      throw otherGtin(`The product ${owner.slug} has this GTIN.`);
    const values: Partial<Product> = {
      ...(title === undefined ? {} : { title }),
      ...(brand === undefined ? {} : { brand }),
      ...(gtin === undefined ? {} : { gtin }),
      ...(releasedOn === undefined ? {} : { released_on: releasedOn }),
      ...(listPrice === undefined
        ? {}
        : {
            list_price_amount: listPrice === null ? null : Math.round(listPrice * 100),
            currency: listPrice === null ? null : 'GBP',
          }),
      ...imageChanges(product, imageUrl),
    };
    const changed = Object.entries(values).filter(
      ([name, value]) => product[name as keyof Product] !== value,
    );
    if (changed.length === 0) return product;
    if (values.image_upload_id === null) await dropStoredImage(trx, product, clock.now());
    await trx.updateTable('products').set(Object.fromEntries(changed)).where('id', '=', product.id).execute();
    const details = Object.fromEntries(changed);
    await writeAudit(trx, { actor, action: 'product.change', subject: product.id, details }, clock.now());
    await bumpContentVersion(trx);
    return requireProduct(trx, slug);
  });
}

/**
 * Ends watching a product: its watches stop, its alerts end, its followers are told once, members lose the roles of its watches, and its page says so and keeps its price history; members keep their follows,
 * which no longer count against their limit. `isRetired` false: its watches may be started again. Writes the audit log. Throws
 * `NotFound` (`unknown_product`).
 */
export async function retireProduct(
  db: Database,
  { slug, isRetired, actor, clock }: ProductWrite & { isRetired: boolean },
): Promise<Product> {
  return inTransaction(db, async (trx) => {
    const product = await requireProduct(trx, slug);
    if ((product.retired_at !== null) === isRetired) return product;
    const now = clock.now();
    const watches = await trx
      .selectFrom('watches')
      .select('id')
      .where('product_id', '=', product.id)
      .where('deleted_at', 'is', null)
      .execute();
    for (const { id: watchId } of isRetired ? watches : []) {
      await closeRemovedAlerts(trx, { watchId, now });
      await stopMonitoring(trx, { actor, clock, watchId });
    }
    await trx
      .updateTable('products')
      .set({ retired_at: isRetired ? toIso(now) : null })
      .where('id', '=', product.id)
      .execute();
    await announceEnd(trx, { productId: product.id, now });
    await listRolesAgain(
      trx,
      watches.map(({ id }) => id),
    );
    const action = isRetired ? 'product.retire' : 'product.restore';
    await writeAudit(trx, { actor, action, subject: product.id }, now);
    await bumpContentVersion(trx);
    return requireProduct(trx, slug);
  });
}

/**
 * Deletes a product that no watch names any more, with what members follow of it, and writes the audit log. Its price history
 * is kept. Throws `NotFound` (`unknown_product`) and `Conflict` (`product_is_watched`).
 */
export async function removeProduct(db: Database, { slug, actor, clock }: ProductWrite): Promise<Product> {
  return inTransaction(db, async (trx) => {
    const product = await requireProduct(trx, slug);
    const watch = await trx
      .selectFrom('watches')
      .select('slug')
      .where('product_id', '=', product.id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (watch !== undefined)
      throw new DomainError('Conflict', {
        code: 'product_is_watched',
        message: `The watch ${watch.slug} checks this product. Delete its watches first.`,
      });
    const now = clock.now();
    await trx.deleteFrom('product_follows').where('product_id', '=', product.id).execute();
    await dropStoredImage(trx, product, now);
    await trx
      .updateTable('products')
      .set({ ...NO_IMAGE, deleted_at: toIso(now), slug: `deleted-${product.id}` })
      .where('id', '=', product.id)
      .execute();
    await writeAudit(trx, { actor, action: 'product.remove', subject: product.id, details: { slug } }, now);
    await bumpContentVersion(trx);
    return product;
  });
}
