import type { Transaction } from 'kysely';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import { DomainError } from '../errors';
import { doomUploads } from '../storage/upload-ledger';
import { uploadIdOf } from '../storage/upload-path';

/**
 * Keeps the uploaded pictures that tracking sets point at and dooms those that they no longer do, in the transaction
 * that saves the sets; the sweep then removes their files. Throws `Invalid` for a picture that is gone.
 */
export async function keepTrackingImages(
  trx: Transaction<Schema>,
  { imageUrls, now }: { imageUrls: readonly string[]; now: number },
): Promise<void> {
  const wanted = new Set(imageUrls.flatMap((url) => uploadIdOf(url) ?? []));
  const rows = await trx
    .selectFrom('uploads')
    .select(['id', 'status'])
    .where('kind', '=', 'tracking')
    .where('status', 'in', ['pending', 'kept'])
    .execute();
  const there = new Set(rows.map(({ id }) => id));
  if ([...wanted].some((id) => !there.has(id))) {
    const message = 'An image is no longer available. Please upload it again.';
    throw new DomainError('Invalid', {
      code: 'image_gone',
      message,
      fieldErrors: { trackingSets: [message] },
    });
  }
  const kept = rows.filter(({ id, status }) => wanted.has(id) && status === 'pending').map(({ id }) => id);
  if (kept.length > 0)
    await trx
      .updateTable('uploads')
      .set({ status: 'kept', updated_at: toIso(now) })
      .where('id', 'in', kept)
      .execute();
  const dropped = rows.filter(({ id, status }) => status === 'kept' && !wanted.has(id)).map(({ id }) => id);
  await doomUploads(trx, dropped, now);
}
