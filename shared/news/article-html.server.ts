import sanitizeHtml from 'sanitize-html';
import { DomainError } from '../errors';
import { isInvisible } from '../plain-line';
import { firstCharacters } from '../shorten';
import { CONTENT_TOO_LONG, LONGEST_CONTENT_CHARACTERS } from './article-fields';
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
import { countWords, joinLines, readMinutes, SUMMARY_KEPT } from './article-text';

const NESTED_TOO_DEEPLY = 'The content is nested too deeply. Please paste it again as plain text.';

/** What is written passes unchanged. Should the reader or the writer ever err, nothing beyond this gets out. */
const GATE: sanitizeHtml.IOptions = {
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

/** A content that cannot be saved, with the sentence that says why. */
export function contentRefused(code: string, sentence: string): DomainError {
  return new DomainError('Invalid', {
    code,
    message: sentence,
    fieldErrors: { content: [sentence] },
  });
}

/**
 * Whatever HTML as an article may hold it: read as the editor would read it, and written as the editor would write it,
 * so that opening an article and saving it changes nothing. Doing it again changes nothing either. Throws `Invalid` for
 * HTML that is nested beyond reason or too long.
 */
export function sanitiseArticleHtml(html: string): string {
  const markup = parseMarkup(html, () => {
    throw contentRefused('nested_too_deeply', NESTED_TOO_DEEPLY);
  });
  const written = writeDocument(readDocument(markup, { from: 'ours', siteOrigin: null }).blocks);
  // Written out, entities are longer than what they stand for.
  if (written.length > LONGEST_CONTENT_CHARACTERS) throw contentRefused('content_too_long', CONTENT_TOO_LONG);
  return sanitizeHtml(written, GATE).replaceAll(' />', '>').replaceAll('\u00a0', '&nbsp;');
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The text of each block and list item of sanitised HTML, each in one line; those without text are left out. */
function linesOfArticle(sanitised: string): string[] {
  const { blocks } = readDocument(parseMarkup(sanitised), { from: 'ours', siteOrigin: null });
  return documentLines(blocks)
    .map(oneLine)
    .filter((line) => line !== '');
}

/** The text of sanitised HTML in one line: where a block or a line ends stands a space. */
export function textOfArticle(sanitised: string): string {
  return linesOfArticle(sanitised).join(' ');
}

/** What is kept beside an article's content, so that lists need not read it: computed from sanitised HTML. */
export function measureArticle(sanitised: string): {
  summary: string;
  readTimeMinutes: number;
  blank: boolean;
} {
  const lines = linesOfArticle(sanitised);
  const text = lines.join(' ');
  return {
    summary: firstCharacters(joinLines(lines.filter((line) => !isInvisible(line))), SUMMARY_KEPT).trim(),
    readTimeMinutes: readMinutes(countWords(text)),
    blank: isInvisible(text),
  };
}
