import type { Transaction } from 'kysely';
import { toIso } from '../clock';
import { bumpContentRevision } from '../content/content-revision';
import type { Schema } from '../database/schema';

/** Says that an article's pictures changed, in the transaction of that change; visitors see it when it is published. */
export async function touchArticle(trx: Transaction<Schema>, articleId: string, now: number): Promise<void> {
  const article = await trx
    .updateTable('articles')
    .set({ updated_at: toIso(now) })
    .where('id', '=', articleId)
    .returning('published')
    .executeTakeFirst();
  if (article?.published === 1) await bumpContentRevision(trx);
}
