import type { ArticleOutline, ArticlePage } from '#shared/news/article';
import { listAllOutlines } from '#shared/news/list-articles';
import { serverContext } from '../../../http/server/context.server';

const ARTICLES_PER_PAGE = 20;

/** A page of the admins' list; the last one in place of any behind it. */
export async function readArticleList(page: number): Promise<ArticlePage<ArticleOutline>> {
  const { db } = serverContext();
  const asked = { page, limit: ARTICLES_PER_PAGE };
  const found = await listAllOutlines(db, asked);
  // The last article of the last page may just have been deleted.
  return found.articles.length === 0 && found.totalPages > 0
    ? listAllOutlines(db, { ...asked, page: found.totalPages })
    : found;
}
