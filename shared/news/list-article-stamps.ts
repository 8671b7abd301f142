import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema';
import { modifiedAt } from './modified-at';

/** When an article changed last; no more of it. */
export interface ArticleStamp {
  id: string;
  /** ISO-8601 UTC. */
  modifiedAt: string;
}

/** Every published article, newest first; without its text, since there may be many. */
export async function listArticleStamps(db: Kysely<Schema>): Promise<ArticleStamp[]> {
  const rows = await db
    .selectFrom('articles')
    .select(['id', 'published_at', 'updated_at'])
    .where('published', '=', 1)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ id, published_at, updated_at }) => ({
    id,
    modifiedAt: modifiedAt({ publishedAt: published_at, updatedAt: updated_at }),
  }));
}
