import { writeAudit, type Actor } from '../audit/write-audit';
import { bumpContentRevision } from '../content/content-revision';
import { inTransaction } from '../database/transaction';
import { clearUploads, doomUploads, type StorageContext } from '../storage/upload-ledger';
import { articleNotFound } from './media-refusals';

/** Deletes an article with its pictures and films and their files, in `actor`'s name. Throws `NotFound`. */
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
    await doomUploads(trx, ids, now);
    if (article.published === 1) await bumpContentRevision(trx);
    await writeAudit(
      trx,
      { actor, action: 'article.delete', subject: id, details: { title: article.title } },
      now,
    );
    return ids;
  });
  await clearUploads(context, uploadIds);
}
