import { writeAudit, type Actor } from '../../audit/write-audit';
import { inTransaction } from '../../database/transaction';
import { removeDeletedUploads, markUploadsDeleted, type StorageContext } from '../../storage/upload-records';
import { articleNotFound, mediaNotFound } from '../article';
import { findArticle } from '../find-article';
import { markMediaChanged } from '../mark-article-changed';
import { articleVersion } from '../save-article.server';
import { removeFromTexts } from './text-images';

/** The result of deleting an image or a video. */
export interface DeletedMedia {
  uploadId: string;
  /** The article's `articleVersion` before and after, for an open form of this article. */
  versions: { before: string; after: string };
}

/**
 * Deletes an image or a video of an article with its files, and removes the image from the texts of all articles. An
 * article loses its featured image if it is deleted. Throws `NotFound`.
 */
export async function deleteMedia(
  context: StorageContext,
  { mediaId, actor }: { mediaId: string; actor: Actor },
): Promise<DeletedMedia> {
  const deleted = await inTransaction(context.db, async (trx) => {
    const now = context.clock.now();
    const media = await trx
      .selectFrom('media')
      .select(['id', 'article_id', 'upload_id', 'placement', 'in_text'])
      .where('id', '=', mediaId)
      .executeTakeFirst();
    if (media === undefined) throw mediaNotFound();
    const versionNow = async () => {
      const article = await findArticle(trx, media.article_id);
      if (article === null) throw articleNotFound();
      return articleVersion(article);
    };
    const before = await versionNow();
    await markMediaChanged(trx, media, now);
    await trx.deleteFrom('media').where('id', '=', mediaId).execute();
    await removeFromTexts(trx, [media.upload_id], now);
    await markUploadsDeleted(trx, [media.upload_id], now);
    await writeAudit(
      trx,
      { actor, action: 'media.delete', subject: mediaId, details: { article: media.article_id } },
      now,
    );
    return { uploadId: media.upload_id, versions: { before, after: await versionNow() } };
  });
  await removeDeletedUploads(context, [deleted.uploadId]);
  return deleted;
}
