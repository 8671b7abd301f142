import { DomainError } from '../errors';
import type { StagedFile } from '../storage/file-rule';
import { ImageRefused } from '../storage/image-variants.server';
import { storeImage } from '../storage/store-image.server';
import { abandonUpload, beginUpload, type StorageContext } from '../storage/upload-records';
import { TRACKING_IMAGE_FILE } from './tracking-image-rules';

function refusalOf(error: unknown): unknown {
  if (!(error instanceof ImageRefused)) return error;
  if (error.reason === 'unreadable') return TRACKING_IMAGE_FILE.refusal('type');
  return new DomainError('Invalid', {
    code: 'too_many_pixels',
    message: error.message,
    fieldErrors: { image: [error.message] },
    cause: error.cause,
  });
}

/**
 * Stores a picture for a tracking set. It stays for a day, and longer once saved tracking sets point at it
 * (`keepTrackingImages`). The file is gone afterwards. Throws `Invalid` that names `image`, or `Unavailable`.
 */
export async function addTrackingImage(
  context: StorageContext,
  { file }: { file: StagedFile },
): Promise<{ imageUrl: string }> {
  const { db, storage, clock } = context;
  try {
    const uploadId = await beginUpload(db, { kind: 'tracking', clock });
    try {
      const { largest } = await storeImage(storage, uploadId, file);
      return { imageUrl: largest.path };
    } catch (error) {
      await abandonUpload(context, uploadId);
      throw refusalOf(error);
    }
  } finally {
    await storage.discard(file.path);
  }
}
