import type { Transaction } from 'kysely';
import { writeAudit, type Actor } from '../audit/write-audit';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { clearUploads, doomUploads, type StorageContext } from '../storage/upload-ledger';
import { mediaNotFound } from './media-refusals';
import { touchArticle } from './touch-article';

/** Takes every form of a picture out of its article's text: it would be a hole in the page. */
async function takeOutOfText(
  trx: Transaction<Schema>,
  { article_id, upload_id }: { article_id: string; upload_id: string },
): Promise<void> {
  const article = await trx
    .selectFrom('articles')
    .select('content')
    .where('id', '=', article_id)
    .executeTakeFirst();
  if (article === undefined || !article.content.includes(upload_id)) return;
  // Images as the sanitiser writes them: attributes in double quotes, with no bracket inside. Ids are of hex and dashes.
  const content = article.content.replace(
    new RegExp(`<img [^<>]*src="/uploads/${upload_id}/[^<>]*>`, 'g'),
    '',
  );
  await trx.updateTable('articles').set({ content }).where('id', '=', article_id).execute();
}

/**
 * Takes a picture or film from its article, in `actor`'s name, and removes its files. Was it the featured image, the
 * article has none then; where it stood in the text it is taken out. Throws `NotFound`.
 */
export async function deleteMedia(
  context: StorageContext,
  { mediaId, actor }: { mediaId: string; actor: Actor },
): Promise<void> {
  const uploadId = await inTransaction(context.db, async (trx) => {
    const now = context.clock.now();
    const media = await trx
      .deleteFrom('media')
      .where('id', '=', mediaId)
      .returning(['article_id', 'upload_id'])
      .executeTakeFirst();
    if (media === undefined) throw mediaNotFound();
    await takeOutOfText(trx, media);
    await doomUploads(trx, [media.upload_id], now);
    await touchArticle(trx, media.article_id, now);
    await writeAudit(
      trx,
      { actor, action: 'media.delete', subject: mediaId, details: { article: media.article_id } },
      now,
    );
    return media.upload_id;
  });
  await clearUploads(context, [uploadId]);
}
