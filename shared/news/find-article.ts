import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema';
import type { Article } from './article';
import { toArticles } from './article-rows';

/** An article that the public may read, or null: drafts are nobody's business. */
export async function findPublishedArticle(db: Kysely<Schema>, id: string): Promise<Article | null> {
  const article = await findArticle(db, id);
  return article?.published === true ? article : null;
}

/** An article, draft or not, or null. For admins. */
export async function findArticle(db: Kysely<Schema>, id: string): Promise<Article | null> {
  const rows = await db.selectFrom('articles').selectAll().where('id', '=', id).execute();
  const [article] = await toArticles(db, rows);
  return article ?? null;
}
