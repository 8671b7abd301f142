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

const WORDS_PER_MINUTE = 200;

/** Words are what white space parts. */
export function countWords(text: string): number {
  const words = text.trim();
  return words === '' ? 0 : words.split(/\s+/).length;
}

/** How long reading takes: whole minutes, at least one. */
export function readMinutes(words: number): number {
  return Math.max(1, Math.ceil(words / WORDS_PER_MINUTE));
}
