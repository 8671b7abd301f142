import type { Selectable } from 'kysely';
import type { Database, Transaction } from '../../database/schema';
import type { ProductsTable } from '../../database/tables/monitor/products';
import { inTransaction } from '../../database/transaction';
import { markUploadsDeleted } from '../../storage/upload-records';

type Product = Selectable<ProductsTable>;

/** The columns of a product whose image is to be fetched from `url`. The stored image is shown until then. */
export const pendingImage = (url: string) =>
  ({ image_url: url, image_pending: 1, image_fault: null }) as const;

/** The columns of a product without an image. */
export const NO_IMAGE = {
  image_url: null,
  image_pending: 0,
  image_fault: null,
  image_upload_id: null,
  image_width: null,
  image_height: null,
} as const;

/** The columns that a change of the address asks for: null removes the image, the same address again repeats a failed fetch. */
export function imageChanges(
  product: Product,
  url: string | null | undefined,
): Partial<ReturnType<typeof pendingImage> | typeof NO_IMAGE> {
  if (url === undefined) return {};
  if (url === null) return NO_IMAGE;
  return url === product.image_url && product.image_fault === null ? {} : pendingImage(url);
}

/** Marks the stored image of a product as deleted, in the transaction that removes the reference to it. */
export async function dropStoredImage(
  trx: Transaction,
  { image_upload_id: uploadId }: Pick<Product, 'image_upload_id'>,
  now: number,
): Promise<void> {
  if (uploadId !== null) await markUploadsDeleted(trx, [uploadId], now);
}

/** An image that is to be fetched. */
export interface PendingImage {
  productId: string;
  url: string;
  /** Whether the shop of one of its pages permits what its robots.txt forbids. */
  isPermitted: boolean;
}

/** Lists the images that are to be fetched: at most `limit`. */
export async function listPendingImages(db: Database, limit: number): Promise<PendingImage[]> {
  const rows = await db
    .selectFrom('products')
    .leftJoin('watches', (join) =>
      join
        .onRef('watches.product_id', '=', 'products.id')
        .on('watches.deleted_at', 'is', null)
        .on('watches.robots_permission', 'is not', null),
    )
    .select(['products.id', 'image_url'])
    .select((row) => row.fn.count<number>('watches.id').as('permissions'))
    // Written exactly as in the partial index.
    .where((where) => where('image_pending', '=', where.lit(1)))
    .where('products.deleted_at', 'is', null)
    .groupBy(['products.id', 'image_url'])
    .orderBy('products.id')
    .limit(limit)
    .execute();
  return rows.flatMap(({ id, image_url: url, permissions }) =>
    url === null ? [] : [{ productId: id, url, isPermitted: Number(permissions) > 0 }],
  );
}

/** Reads the product of an image that is still to be fetched: another daemon may have done it, or an admin changed it. */
export const findPending = (db: Database, { productId, url }: PendingImage) =>
  db
    .selectFrom('products')
    .select(['id', 'image_upload_id'])
    .where('id', '=', productId)
    .where('image_url', '=', url)
    .where('image_pending', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** Notes why an image could not be fetched. The image that is stored, if any, stays. */
export async function failImage(db: Database, image: PendingImage, fault: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    if ((await findPending(trx, image)) === undefined) return;
    await trx
      .updateTable('products')
      .set({ image_pending: 0, image_fault: fault })
      .where('id', '=', image.productId)
      .execute();
  });
}
