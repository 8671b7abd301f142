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
