import type { Actor } from '../audit/write-audit';
import { DomainError } from '../errors';
import type { StagedFile } from '../storage/file-rule';
import { ImageRefused } from '../storage/images/image-variants.server';
import { storeImage } from '../storage/images/store-image.server';
import { uploadIdOf } from '../storage/upload-path';
import { abandonUpload, beginUpload, type StorageContext } from '../storage/upload-records';
import { addTrackingSet, requireTrackingSet } from './change-tracking-sets';
import { TRACKING_IMAGE_FILE } from './tracking-image-rules';
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
 * Stores an image for a tracking set. It expires after a day unless saved tracking sets refer to it
 * (`attachTrackingImages`). The received file is always removed. Throws `Invalid` that names `image`, or
 * `Unavailable`.
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

/** The image of a form: received or refused. */
export type SentImage =
  | { file: StagedFile; refused?: undefined }
  | { file?: undefined; refused: DomainError };

/**
 * Adds a tracking set with its image. Reports faults of name and image together, before the image is stored; removes
 * the image when the set cannot be added. Throws `Invalid` that names `name`, `image` or both, or `Unavailable`.
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
