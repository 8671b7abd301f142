import type { Article } from './article';

/** Characters of a content's text that are kept for summaries: more than the longest that a page shows. */
export const SUMMARY_KEPT = 300;

/** Who wrote what nobody put a name to. */
const NAMELESS_AUTHOR = 'Admin';

/** The first `limit` characters as people count them: no emoji is cut in half. */
export function firstCharacters(text: string, limit: number): string {
  // Twice as many code units hold that many characters, however long the text is.
  return [...text.slice(0, 2 * limit)].slice(0, limit).join('');
}

/** What a card says of an article: its excerpt, else the first `limit` characters of its text, with '…' when more follows. */
export function summaryOf(article: Pick<Article, 'excerpt' | 'summary'>, limit: number): string {
  if (article.excerpt !== null) return article.excerpt;
  const beginning = firstCharacters(article.summary, limit);
  return beginning.length < article.summary.length ? `${beginning.trimEnd()}…` : beginning;
}

export function authorOf(article: Pick<Article, 'authorUsername'>): string {
  return article.authorUsername ?? NAMELESS_AUTHOR;
}
