import type { Selectable } from 'kysely';
import { toIso } from '../clock';
import { bumpContentVersion } from '../content/content-version';
import type { Transaction } from '../database/schema';
import type { MediaTable } from '../database/tables/news';
import { isPublicMedia } from './media/public-media';

/** Marks an article as changed, in the transaction that changes its media. Bumps the content version if it is published. */
export async function markArticleChanged(trx: Transaction, articleId: string, now: number): Promise<void> {
  const article = await trx
    .updateTable('articles')
    .set({ updated_at: toIso(now) })
    .where('id', '=', articleId)
    .returning('published')
    .executeTakeFirst();
  if (article?.published === 1) await bumpContentVersion(trx);
}

/** Like `markArticleChanged`, for a change of one image or video; only public ones count. Call it before a deletion. */
export async function markMediaChanged(
  trx: Transaction,
  media: Pick<Selectable<MediaTable>, 'id' | 'article_id' | 'placement' | 'in_text'>,
  now: number,
): Promise<void> {
  const { featured_image_id } = await trx
    .selectFrom('articles')
    .select('featured_image_id')
    .where('id', '=', media.article_id)
    .executeTakeFirstOrThrow();
  const { id, placement, in_text } = media;
  if (isPublicMedia({ id, placement, inText: in_text === 1 }, featured_image_id)) {
    await markArticleChanged(trx, media.article_id, now);
  }
}
