import type { Actor } from '../audit/write-audit';
import type { DomainError } from '../errors';
import type { StagedFile } from '../storage/file-rule';
import { abandonUpload, type StorageContext } from '../storage/upload-records';
import { uploadIdOf } from '../storage/upload-path';
import { addTrackingSet, requireTrackingSet } from './change-tracking-sets';
import { addTrackingImage } from './tracking-image.server';
import { TRACKING_IMAGE_FILE } from './tracking-image-rules';
import type { TrackingSets } from './tracking-sets';

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
