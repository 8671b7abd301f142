import { shorten } from '../text';
import type { Article } from './article';

/** Characters of a stored summary: more than any page shows. */
export const MAX_SUMMARY_LENGTH = 300;

/** Shown as the author of articles without one. */
const DEFAULT_AUTHOR = 'Admin';

/** Separates two lines of a summary if no punctuation does. */
const SEPARATOR = ' · ';

/** Punctuation at the end of a line, with closing quotes and brackets. */
const PUNCTUATED_END = /[.!?…:;,\u3002\uff01\uff1f][\p{Pe}\p{Pf}"']*$/u;

/** Joins the lines of a text, with a separator after headings, list items and other lines without punctuation. */
export function joinLines(lines: readonly string[]): string {
  return lines
    .map((line, index) => {
      if (index === lines.length - 1) return line;
      return line + (PUNCTUATED_END.test(line) ? ' ' : SEPARATOR);
    })
    .join('');
}

/** The summary on an article's card: its excerpt, or the first `limit` characters of its text, with '…' if more follows. */
export function summaryOf(article: Pick<Article, 'excerpt' | 'summary'>, limit: number): string {
  if (article.excerpt !== null) return article.excerpt;
  // Removes a separator right before the ellipsis.
  return shorten(article.summary, { fits: limit, keep: limit }).replace(/ ·…$/, '…');
}

/** The name of the author to show. */
export function authorOf(article: Pick<Article, 'authorUsername'>): string {
  return article.authorUsername ?? DEFAULT_AUTHOR;
}

const WORDS_PER_MINUTE = 200;

/** Counts words, separated by white space. */
export function countWords(text: string): number {
  const words = text.trim();
  return words === '' ? 0 : words.split(/\s+/).length;
}

/** The reading time in whole minutes, at least one. */
export function readMinutes(words: number): number {
  return Math.max(1, Math.ceil(words / WORDS_PER_MINUTE));
}
