import sanitizeHtml from 'sanitize-html';
import { isInvisible, firstCharacters } from '../text';
import { CONTENT_TOO_LONG, contentRefused, MAX_CONTENT_LENGTH } from './article-fields';
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
