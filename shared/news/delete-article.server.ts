import { writeAudit, type Actor } from '../audit/write-audit';
import { bumpContentVersion } from '../content/content-version';
import { inTransaction } from '../database/transaction';
import { removeDeletedUploads, markUploadsDeleted, type StorageContext } from '../storage/upload-records';
import { articleNotFound } from './article';
import { removeFromTexts } from './media/text-images';

/**
 * Deletes an article with its media and their files, and removes these images from the texts of other articles. Throws
 * `NotFound`.
 */
export async function deleteArticle(
  context: StorageContext,
  { id, actor }: { id: string; actor: Actor },
): Promise<void> {
  const uploadIds = await inTransaction(context.db, async (trx) => {
    const now = context.clock.now();
    const media = await trx.selectFrom('media').select('upload_id').where('article_id', '=', id).execute();
    const article = await trx
      .deleteFrom('articles')
      .where('id', '=', id)
      .returning(['title', 'published'])
      .executeTakeFirst();
    if (article === undefined) throw articleNotFound();
    const ids = media.map(({ upload_id }) => upload_id);
    await removeFromTexts(trx, ids, now);
    await markUploadsDeleted(trx, ids, now);
    if (article.published === 1) await bumpContentVersion(trx);
    await writeAudit(
      trx,
      { actor, action: 'article.delete', subject: id, details: { title: article.title } },
      now,
    );
    return ids;
  });
  await removeDeletedUploads(context, uploadIds);
}
