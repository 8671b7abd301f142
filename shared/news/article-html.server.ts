import type { Selectable } from 'kysely';
import sanitizeHtml from 'sanitize-html';
import type { ArticlesTable } from '../database/tables/news';
import { DomainError } from '../errors';
import { isInvisible, firstCharacters } from '../text';
import { CONTENT_TOO_LONG, MAX_CONTENT_LENGTH } from './article-fields';
import { documentLines } from './article-html/article-document';
import {
  ARTICLE_TAGS,
  ITEM_CLASSES,
  LINK_PROTOCOLS,
  TEXT_CLASSES,
  TEXT_TAGS,
} from './article-html/article-format';
import { parseMarkup } from './article-html/markup';
import { readDocument } from './article-html/read-document';
import { writeDocument } from './article-html/write-document';
import { countWords, joinLines, readMinutes, MAX_SUMMARY_LENGTH } from './article-text';

const NESTED_TOO_DEEPLY = 'The content is nested too deeply. Please paste it again as plain text.';

/** Allows what `writeDocument` writes. A second line of defence against mistakes in the reader and the writer. */
const ALLOWED_HTML: sanitizeHtml.IOptions = {
  allowedTags: [...ARTICLE_TAGS],
  allowedAttributes: { a: ['href', 'rel'], img: ['src', 'alt', 'width', 'height'] },
  allowedClasses: Object.fromEntries([
    ...TEXT_TAGS.map((tag) => [tag, [...TEXT_CLASSES]]),
    ['li', [...ITEM_CLASSES]],
  ]),
  allowedSchemes: [...LINK_PROTOCOLS],
  allowedSchemesByTag: { img: [] },
  allowProtocolRelative: false,
};

/** The error for content that cannot be saved. `sentence`: the reason, for people. */
export function contentRefused(code: string, sentence: string): DomainError {
  return new DomainError('Invalid', {
    code,
    message: sentence,
    fieldErrors: { content: [sentence] },
  });
}

/** The version of the sanitiser's rules. Increase it with every change of them: stored content is then sanitised again. */
export const HTML_VERSION = 2;

/** Prepares HTML for storing: sanitises it, computes summary and reading time. Throws `Invalid` when too deep or long. */
export function prepareArticleHtml(html: string) {
  const markup = parseMarkup(html, () => {
    throw contentRefused('nested_too_deeply', NESTED_TOO_DEEPLY);
  });
  const { blocks } = readDocument(markup, { from: 'ours', siteOrigin: null });
  const written = writeDocument(blocks);
  // Escaping makes content longer.
  if (written.length > MAX_CONTENT_LENGTH) throw contentRefused('content_too_long', CONTENT_TOO_LONG);
  const lines = documentLines(blocks)
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
  const text = lines.join(' ');
  return {
    /** Sanitised HTML, in the form in which the editor writes it. Sanitising it again changes nothing. */
    content: sanitizeHtml(written, ALLOWED_HTML).replaceAll(' />', '>').replaceAll('\u00a0', '&nbsp;'),
    summary: firstCharacters(
      joinLines(lines.filter((line) => !isInvisible(line))),
      MAX_SUMMARY_LENGTH,
    ).trim(),
    readTimeMinutes: readMinutes(countWords(text)),
    /** Whether it contains no visible text. */
    blank: isInvisible(text),
  };
}

/** The sanitised content of a row. Content that another version of the sanitiser wrote is sanitised now. */
export function sanitisedContent({
  content,
  html_version,
}: Pick<Selectable<ArticlesTable>, 'content' | 'html_version'>): string {
  return html_version === HTML_VERSION ? content : prepareArticleHtml(content).content;
}
