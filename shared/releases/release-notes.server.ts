import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';

// HTML in the notes is shown as text.
const markdown = new MarkdownIt({ html: false, linkify: true });

/** Pages show the notes below a heading of level 3. */
const HEADINGS = { h1: 'h4', h2: 'h5', h3: 'h6', h4: 'h6', h5: 'h6', h6: 'h6' };

/** What notes may contain. Images are removed: they would tell other sites who reads the notes. */
const ALLOWED_HTML: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote'],
    ...['strong', 'em', 's', 'code', 'pre', 'a'],
  ],
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  transformTags: {
    ...HEADINGS,
    a: (tagName, { href = '' }) => ({ tagName, attribs: { href, rel: 'nofollow noopener' } }),
  },
};

/** The sanitised HTML of release notes. `notes`: Markdown (CommonMark, with strikethrough and links of bare addresses). */
export function renderReleaseNotes(notes: string): string {
  return sanitizeHtml(markdown.render(notes), ALLOWED_HTML).trim();
}
