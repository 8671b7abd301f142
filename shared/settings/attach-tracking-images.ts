import { toIso } from '../clock';
import type { Transaction } from '../database/schema';
import { DomainError } from '../errors';
import { uploadIdOf } from '../storage/upload-path';
import { markUploadsDeleted } from '../storage/upload-records';

/**
 * Attaches the uploaded images that tracking sets refer to and marks those deleted that they no longer refer to, in the
 * transaction that saves the sets; the sweep then removes their files. Throws `Invalid` for an image that is gone.
 */
export async function attachTrackingImages(
  trx: Transaction,
  { imageUrls, now }: { imageUrls: readonly string[]; now: number },
): Promise<void> {
  const wanted = new Set(imageUrls.flatMap((url) => uploadIdOf(url) ?? []));
  const rows = await trx
    .selectFrom('uploads')
    .select(['id', 'status'])
    .where('kind', '=', 'tracking')
    .where('status', 'in', ['pending', 'attached'])
    .execute();
  const existing = new Set(rows.map(({ id }) => id));
  if ([...wanted].some((id) => !existing.has(id))) {
    const message = 'An image is no longer available. Please upload it again.';
    throw new DomainError('Invalid', {
      code: 'image_gone',
      message,
      fieldErrors: { trackingSets: [message] },
    });
  }
  const attached = rows
    .filter(({ id, status }) => wanted.has(id) && status === 'pending')
    .map(({ id }) => id);
  if (attached.length > 0)
    await trx
      .updateTable('uploads')
      .set({ status: 'attached', updated_at: toIso(now) })
      .where('id', 'in', attached)
      .execute();
  const dropped = rows
    .filter(({ id, status }) => status === 'attached' && !wanted.has(id))
    .map(({ id }) => id);
  await markUploadsDeleted(trx, dropped, now);
}
