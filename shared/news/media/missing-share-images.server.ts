import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { bumpContentVersion } from '../../content/content-version';
import { inTransaction } from '../../database/transaction';
import { isS3Unavailable } from '../../storage/s3/s3-faults';
import { storeShareImage } from '../../storage/images/share-image.server';
import type { StorageContext } from '../../storage/upload-records';

/** Images of one run: it ends within a minute or two, and a daemon that stops waits no longer. */
const IMAGES_PER_RUN = 100;

/**
 * Makes share images for images that have none: those that an earlier release stored. Idempotent. An image whose
 * file is missing is skipped until the file is back. Returns how many were made, and the failures of the others.
 */
export async function makeMissingShareImages({
  db,
  storage,
}: Pick<StorageContext, 'db' | 'storage'>): Promise<{ made: number; faults: unknown[] }> {
  const images = await db
    .selectFrom('media')
    .select(['id', 'upload_id', 'file_path'])
    .where('media_type', '=', 'image')
    .where('share_image', 'is', null)
    // In random order, so that images that fail in each run do not keep others waiting.
    .orderBy(sql`random()`)
    .limit(IMAGES_PER_RUN)
    .execute();
  let made = 0;
  const faults: unknown[] = [];
  for (const image of images) {
    try {
      if (await makeForImage(image)) made += 1;
    } catch (error) {
      faults.push(error);
      if (isS3Unavailable(error)) break;
    }
  }
  return { made, faults };

  async function makeForImage({ id, upload_id: uploadId, file_path }: (typeof images)[number]) {
    const stored = await storage.open(uploadId, file_path.slice(file_path.lastIndexOf('/') + 1));
    if (stored === null) return false;
    const shareImage = await storeShareImage(storage, uploadId, await buffer(stored.stream));
    const isKept = await inTransaction(db, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('media')
        .set({ share_image: JSON.stringify(shareImage) })
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return false;
      await bumpContentVersion(trx);
      return true;
    });
    // The image was deleted with its folder while the file was made: the file must not remain without a record.
    if (!isKept) await storage.remove(uploadId);
    return isKept;
  }
}
