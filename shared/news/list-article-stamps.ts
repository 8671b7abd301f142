import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema';
import { modifiedAt } from './modified-at';

/** The id and the last change of an article. */
export interface ArticleStamp {
  id: string;
  /** ISO-8601 UTC. */
  modifiedAt: string;
}

/** The stamps of all published articles, newest first. */
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
