import { DomainError } from '../errors';
import type { StagedFile } from '../storage/file-rule';
import { ImageRefused } from '../storage/image-variants.server';
import { storeImage } from '../storage/store-image.server';
import { abandonUpload, beginUpload, type StorageContext } from '../storage/upload-records';
import { TRACKING_IMAGE_FILE } from './tracking-image-rules';
import type { Actor } from '../audit/write-audit';
import { uploadIdOf } from '../storage/upload-path';
import { addTrackingSet, requireTrackingSet } from './change-tracking-sets';
import type { TrackingSets } from './tracking-sets';

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
 * (`attachTrackingImages`). The file is gone afterwards. Throws `Invalid` that names `image`, or `Unavailable`.
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

/** A picture as its form brought it: there, or refused. */
export type SentImage =
  { file: StagedFile; refused?: undefined } | { file?: undefined; refused: DomainError };

/**
 * Adds a set whose picture comes with it, as `addTrackingSet` does. What can be told of name and picture beforehand is
 * told together, and only then is the picture stored; it goes again when the set cannot be added.
 * Throws `Invalid` that names `name`, `image` or both, or `Unavailable`.
 */
export async function addTrackingSetWithImage(
  context: StorageContext,
  { name, image, actor }: { name: string; image: SentImage | undefined; actor: Actor },
): Promise<TrackingSets> {
  const { db, clock } = context;
  const { file, refused } = image ?? { refused: TRACKING_IMAGE_FILE.refusal('missing') };
  requireTrackingSet({ name }, refused?.fieldErrors);
  if (refused !== undefined) throw refused;
  const { imageUrl } = await addTrackingImage(context, { file });
  try {
    return await addTrackingSet(db, { name, imageUrl, actor, clock });
  } catch (error) {
    const uploadId = uploadIdOf(imageUrl);
    if (uploadId !== null) await abandonUpload(context, uploadId);
    throw error;
  }
}
