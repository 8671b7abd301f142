import { bumpContentVersion } from '../../content/content-version';
import { inTransaction } from '../../database/transaction';
import type { StagedFile } from '../../storage/file-rule';
import { storeShareImage } from '../../storage/images/share-image.server';
import { storeImage } from '../../storage/images/store-image.server';
import {
  abandonUpload,
  attachUpload,
  beginUpload,
  removeDeletedUploads,
  type StorageContext,
} from '../../storage/upload-records';
import { dropStoredImage, findPending, type PendingImage } from './product-image';

/** A smaller image is a pixel that counts visitors, or an icon. */
const MIN_SIDE = 100;

/** An image that was read, and is too small to show a product. */
export class ImageTooSmall extends Error {}

/**
 * Re-encodes and stores a received image, and shows it instead of the one before. Throws `ImageRefused`, `ImageTooSmall` and
 * `Unavailable`; then no file remains.
 */
export async function storeProductImage(
  context: StorageContext,
  { image, file }: { image: PendingImage; file: Pick<StagedFile, 'path'> },
): Promise<void> {
  const { db, storage, clock } = context;
  const uploadId = await beginUpload(db, { kind: 'media', clock });
  let outdated: string[] | null = null;
  try {
    const { largest, bytes } = await storeImage(storage, uploadId, file);
    if (Math.min(largest.width, largest.height) < MIN_SIDE)
      throw new ImageTooSmall(`The image is too small: ${largest.width} by ${largest.height} pixels.`);
    // For Discord and link previews.
    await storeShareImage(storage, uploadId, bytes);
    outdated = await inTransaction(db, async (trx) => {
      const product = await findPending(trx, image);
      if (product === undefined) return null;
      const now = clock.now();
      await attachUpload(trx, uploadId, now);
      await trx
        .updateTable('products')
        .set({
          image_pending: 0,
          image_upload_id: uploadId,
          image_width: largest.width,
          image_height: largest.height,
        })
        .where('id', '=', product.id)
        .execute();
      await dropStoredImage(trx, product, now);
      await bumpContentVersion(trx);
      return product.image_upload_id === null ? [] : [product.image_upload_id];
    });
  } finally {
    if (outdated === null) await abandonUpload(context, uploadId);
  }
  if (outdated !== null) await removeDeletedUploads(context, outdated);
}
