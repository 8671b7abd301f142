import type { Database } from '../database/schema';
import type { Article } from './article';
import { toArticles } from './article-rows';
import { withPublicMedia } from './media/public-media';

/** A published article with its public media, or null. */
export async function findPublishedArticle(db: Database, id: string): Promise<Article | null> {
  const article = await previewArticle(db, id);
  return article?.published === true ? article : null;
}

/** An article, published or draft, with its public media, or null. For admins. */
export async function previewArticle(db: Database, id: string): Promise<Article | null> {
  const article = await findArticle(db, id);
  return article && withPublicMedia(article);
}

/** An article, published or draft, with all its media, or null. For admins. */
export async function findArticle(db: Database, id: string): Promise<Article | null> {
  const rows = await db.selectFrom('articles').selectAll().where('id', '=', id).execute();
  const [article] = await toArticles(db, rows);
  return article ?? null;
}
