import { shorten } from '../shorten';
import type { Article } from './article';

/** Characters of a content's text that are kept for summaries: more than the longest that a page shows. */
export const SUMMARY_KEPT = 300;

/** Who wrote what nobody put a name to. */
const NAMELESS_AUTHOR = 'Admin';

/** What a card says of an article: its excerpt, else the first `limit` characters of its text, with '…' when more follows. */
export function summaryOf(article: Pick<Article, 'excerpt' | 'summary'>, limit: number): string {
  return article.excerpt ?? shorten(article.summary, { fits: limit, keep: limit });
}

export function authorOf(article: Pick<Article, 'authorUsername'>): string {
  return article.authorUsername ?? NAMELESS_AUTHOR;
}
