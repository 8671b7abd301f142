import { writeAudit, type Actor } from '../../audit/write-audit';
import type { Clock } from '../../clock';
import type { Database } from '../../database/schema';
import { inTransaction } from '../../database/transaction';
import { mediaNotFound } from '../article';
import { markArticleChanged, markMediaChanged } from '../mark-article-changed';

/** Changes the alternative text and the caption of an image or a video. Throws `NotFound`. */
export async function changeMedia(
  db: Database,
  {
    mediaId,
    altText,
    caption,
    actor,
    clock,
  }: { mediaId: string; altText: string; caption: string; actor: Actor; clock: Clock },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const now = clock.now();
    const media = await trx
      .updateTable('media')
      .set({ alt_text: altText, caption })
      .where('id', '=', mediaId)
      .returning(['id', 'article_id', 'placement', 'in_text'])
      .executeTakeFirst();
    if (media === undefined) throw mediaNotFound();
    await markMediaChanged(trx, media, now);
    await writeAudit(trx, { actor, action: 'media.change', subject: mediaId }, now);
  });
}

/** Moves media one place up or down in its article, and numbers all from 0. Does nothing at the ends. Throws `NotFound`. */
export async function moveMedia(
  db: Database,
  {
    mediaId,
    direction,
    actor,
    clock,
  }: { mediaId: string; direction: 'up' | 'down'; actor: Actor; clock: Clock },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const now = clock.now();
    const media = await trx
      .selectFrom('media')
      .select('article_id')
      .where('id', '=', mediaId)
      .executeTakeFirst();
    if (media === undefined) throw mediaNotFound();
    const rows = await trx
      .selectFrom('media')
      .select(['id', 'display_order'])
      .where('article_id', '=', media.article_id)
      .orderBy('display_order')
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    const from = rows.findIndex(({ id }) => id === mediaId);
    const to = direction === 'up' ? from - 1 : from + 1;
    const [moved, neighbour] = [rows[from], rows[to]];
    if (moved === undefined || neighbour === undefined) return;
    rows[from] = neighbour;
    rows[to] = moved;
    for (const [order, { id, display_order }] of rows.entries()) {
      if (display_order === order) continue;
      await trx.updateTable('media').set({ display_order: order }).where('id', '=', id).execute();
    }
    await markArticleChanged(trx, media.article_id, now);
    await writeAudit(trx, { actor, action: 'media.move', subject: mediaId, details: { direction } }, now);
  });
}
