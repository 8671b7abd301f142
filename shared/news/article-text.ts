import { shorten } from '../shorten';
import type { Article } from './article';

/** Characters of a content's text that are kept for summaries: more than the longest that a page shows. */
export const SUMMARY_KEPT = 300;

/** Who wrote what nobody put a name to. */
const NAMELESS_AUTHOR = 'Admin';

/** Stands between two lines of a summary where punctuation does not part them already. */
const SEPARATOR = ' · ';

/** Punctuation that ends a sentence or leads on to the next line, with the quotes and brackets that may close after it. */
const PUNCTUATED_END = /[.!?…:;,\u3002\uff01\uff1f][\p{Pe}\p{Pf}"']*$/u;

/** The lines of a text as one line, with a separator after headings, list items and other lines without a full stop. */
export function joinLines(lines: readonly string[]): string {
  return lines
    .map((line, index) => {
      if (index === lines.length - 1) return line;
      return line + (PUNCTUATED_END.test(line) ? ' ' : SEPARATOR);
    })
    .join('');
}

/** What a card says of an article: its excerpt, else the first `limit` characters of its text, with '…' when more follows. */
export function summaryOf(article: Pick<Article, 'excerpt' | 'summary'>, limit: number): string {
  if (article.excerpt !== null) return article.excerpt;
  // A separator with nothing after it would be left before the ellipsis.
  return shorten(article.summary, { fits: limit, keep: limit }).replace(/ ·…$/, '…');
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
