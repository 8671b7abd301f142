import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { createHeadingLevels } from '../heading-levels';

// HTML in the notes is shown as text. So are tables, whose elements are not allowed below: their cells would run together,
// and 20,000 characters can make 65,536 cells, which block the process for a second.
const markdown = new MarkdownIt({ html: false, linkify: true }).disable('table');

/** Pages show the notes below a heading of level 3. */
const LEVEL_ABOVE = 3;

markdown.core.ruler.push('heading_levels', ({ tokens }) => {
  const levelOf = createHeadingLevels(LEVEL_ABOVE);
  let tag = '';
  for (const token of tokens) {
    if (token.type === 'heading_open') tag = `h${levelOf(Number(token.tag.slice(1)))}`;
    if (token.type === 'heading_open' || token.type === 'heading_close') token.tag = tag;
  }
});

/** What notes may contain. Images are removed: loading them would reveal the readers to other sites. */
const ALLOWED_HTML: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote'],
    ...['strong', 'em', 's', 'code', 'pre', 'a'],
  ],
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName, { href = '' }) => ({ tagName, attribs: { href, rel: 'nofollow noopener' } }),
  },
};

/** The sanitised HTML of release notes. `notes`: Markdown (CommonMark, with strikethrough and links of bare addresses). */
export function renderReleaseNotes(notes: string): string {
  return sanitizeHtml(markdown.render(notes), ALLOWED_HTML).trim();
}
