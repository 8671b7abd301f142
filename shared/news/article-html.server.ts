import sanitizeHtml from 'sanitize-html';
import { DomainError } from '../errors';
import { isInvisible } from '../plain-line';
import { firstCharacters } from '../shorten';
import { CONTENT_TOO_LONG, LONGEST_CONTENT } from './article-fields';
import { SUMMARY_KEPT } from './article-text';

const BLOCKS = ['p', 'h1', 'h2', 'h3', 'ul', 'ol', 'li', 'blockquote', 'pre'];
const INLINE = ['strong', 'em', 'u', 's', 'code', 'a'];
const VOID = ['br', 'img'];

/** What the toolbar cannot make, in words that it can. */
const SAME_MEANING: Record<string, string> = {
  b: 'strong',
  i: 'em',
  ins: 'u',
  del: 's',
  strike: 's',
  h4: 'h3',
  h5: 'h3',
  h6: 'h3',
};

/** Boxes of other pages: a paragraph when they hold text alone, else only what is in them stays. */
const BOXES = [
  ...['div', 'section', 'article', 'main', 'aside', 'header', 'footer', 'nav', 'address', 'center', 'hgroup'],
  ...['figure', 'figcaption', 'details', 'summary', 'dl', 'dt', 'dd', 'form', 'fieldset', 'legend'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th'],
];

/** Whatever is inside these is no text of the article. */
const SWALLOWED = [
  ...['script', 'style', 'template', 'noscript', 'iframe', 'noembed', 'noframes', 'object', 'applet', 'xmp'],
  ...['svg', 'math', 'title', 'textarea', 'select', 'option', 'plaintext', 'audio', 'video', 'canvas'],
];

const ALIGNED = /^align-(center|right|justify)$/;
const INDENTED = /^indent-[1-8]$/;

/** Deeper than this, marks go and their text stays. */
const DEEPEST_KEPT = 64;
/** Deeper than this nobody writes: parsing takes time in proportion to depth, so it ends here. */
const DEEPEST_READ = 1_000;

/** Characters that no text has a use for; tabs and line breaks stay. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

const OWN_PICTURE = /^\/uploads\/[\w-]+\/[\w-]+(\.[\w-]+)+$/;
const PIXELS = /^[1-9]\d{0,4}$/;
/** http, https, mail, or a path of this site; nothing that a browser could read as another host. */
const ADDRESS = /^(https?:\/\/[^\s/\\]|mailto:[^\s]|\/(?![/\\]))[^\s\\]*$/i;

function alignmentOf({ style = '', align = '' }: sanitizeHtml.Attributes): string[] {
  const said = /(?:^|;)\s*text-align\s*:\s*(\w+)/i.exec(style)?.[1] ?? align;
  const word = said.toLowerCase() === 'end' ? 'right' : said.toLowerCase();
  return ['center', 'right', 'justify'].includes(word) ? [`align-${word}`] : [];
}

/** At most one alignment and one indent, in this order. */
function classOf(attributes: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const said = [...(attributes.class ?? '').split(/\s+/), ...alignmentOf(attributes)];
  const kept = [said.find((name) => ALIGNED.test(name)), said.find((name) => INDENTED.test(name))];
  const text = kept.filter(Boolean).join(' ');
  return text === '' ? {} : { class: text };
}

function linkOf({ href = '' }: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const address = href.trim();
  return ADDRESS.test(address) ? { href: address, rel: 'noopener noreferrer nofollow' } : {};
}

function pictureOf({ src = '', alt = '', width = '', height = '' }: sanitizeHtml.Attributes) {
  if (!OWN_PICTURE.test(src)) return {};
  const measured = PIXELS.test(width) && PIXELS.test(height);
  return { src, alt: alt.replace(CONTROLS, ''), ...(measured && { width, height }) };
}

function transform(from: string, to: string): [string, sanitizeHtml.Transformer] {
  const attributesOf =
    to === 'a'
      ? linkOf
      : to === 'img'
        ? pictureOf
        : BLOCKS.includes(to) || to === 'div'
          ? classOf
          : () => ({});
  return [from, (_name, attributes) => ({ tagName: to, attribs: attributesOf(attributes) })];
}

function optionsWith(boxes: readonly string[]): sanitizeHtml.IOptions {
  const tags = [...BLOCKS, ...INLINE, ...VOID, ...boxes];
  return {
    allowedTags: tags,
    allowedAttributes: { a: ['href', 'rel'], img: ['src', 'alt', 'width', 'height'] },
    allowedClasses: Object.fromEntries([...BLOCKS, ...boxes].map((tag) => [tag, [ALIGNED, INDENTED]])),
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    nonTextTags: SWALLOWED,
    nestingLimit: DEEPEST_KEPT,
    textFilter: (text) => text.replace(CONTROLS, ''),
    transformTags: Object.fromEntries([
      ...tags.map((tag) => transform(tag, tag)),
      ...Object.entries(SAME_MEANING).map(([from, to]) => transform(from, to)),
      ...(boxes.length === 0 ? [] : BOXES.map((box) => transform(box, 'div'))),
    ]),
  };
}

/** The first pass lets boxes through as `div`, so that it can be seen what they hold. */
const WITH_BOXES = optionsWith(['div']);
/** The last pass is the gate: nothing changes what comes out of it. */
const GATE = optionsWith([]);

/** A content that cannot be saved, with the sentence that says why. */
export function contentRefused(code: string, sentence: string): DomainError {
  return new DomainError('Invalid', {
    code,
    message: sentence,
    fieldErrors: { content: [sentence] },
  });
}

function sanitiseOnce(html: string, options: sanitizeHtml.IOptions): string {
  let depth = 0;
  return sanitizeHtml(html, {
    ...options,
    onOpenTag() {
      depth += 1;
      if (depth > DEEPEST_READ) {
        throw new DomainError('Invalid', {
          code: 'nested_too_deeply',
          message: 'The content is nested too deeply. Please paste it again as plain text.',
          fieldErrors: {
            content: ['The content is nested too deeply. Please paste it again as plain text.'],
          },
        });
      }
    },
    onCloseTag() {
      depth -= 1;
    },
  })
    .replaceAll(' />', '>')
    .replaceAll('\u00a0', '&nbsp;');
}

/** Matches each tag of HTML that has been sanitised: its texts and attributes hold no angle bracket. */
const TAG = /<(\/?)([a-z][a-z0-9]*)([^>]*)>/g;

/** Boxes become paragraphs or go; links that lead nowhere, links in links and pictures that are not ours go. */
function tidy(html: string): string {
  const parts: string[] = [];
  const open: { name: string; at: number; isEmpty: boolean; holdsBlocks: boolean; kept: boolean }[] = [];
  let links = 0;
  let read = 0;
  for (const found of html.matchAll(TAG)) {
    const [tag, slash, name = '', attributes = ''] = found;
    const text = html.slice(read, found.index);
    read = found.index + tag.length;
    parts.push(text);
    if (text.trim() !== '' || VOID.includes(name)) for (const outer of open) outer.isEmpty = false;
    if (VOID.includes(name)) {
      if (name === 'br' || attributes !== '') parts.push(tag);
      continue;
    }
    if (slash === '') {
      const kept = name !== 'a' || (attributes !== '' && links === 0);
      if (name === 'a' && kept) links += 1;
      if (name === 'div' || BLOCKS.includes(name)) for (const outer of open) outer.holdsBlocks = true;
      open.push({ name, at: parts.length, isEmpty: true, holdsBlocks: false, kept });
      parts.push(kept ? tag : '');
      continue;
    }
    const opened = open.pop();
    if (opened === undefined || !opened.kept) continue;
    if (name === 'a') links -= 1;
    if (name !== 'div') parts.push(tag);
    else if (opened.holdsBlocks || opened.isEmpty) parts[opened.at] = '';
    else {
      parts[opened.at] = (parts[opened.at] ?? '').replace('<div', '<p');
      parts.push('</p>');
    }
  }
  parts.push(html.slice(read));
  return parts.join('');
}

/**
 * Whatever HTML as an article may hold it: the marks of the editor's toolbar, alignment and indent as classes, links
 * over http, https and mail or into this site, pictures from our own uploads. Doing it again changes nothing.
 * Throws `Invalid` for HTML that is nested beyond reason or too long.
 */
export function sanitiseArticleHtml(html: string): string {
  const wellFormed = html
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/\r\n?/g, '\n')
    .replace(CONTROLS, '');
  const cleaned = sanitiseOnce(wellFormed, WITH_BOXES);
  // Written out, entities are longer than what they stand for.
  if (cleaned.length > LONGEST_CONTENT) throw contentRefused('content_too_long', CONTENT_TOO_LONG);
  return sanitiseOnce(tidy(cleaned), GATE).trim();
}

/** What sanitised HTML writes as entities; everything else stands for itself. */
const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
  '&nbsp;': ' ',
};

/** The text of sanitised HTML in one line: where a block or a line ends stands a space. */
export function textOfArticle(sanitised: string): string {
  return sanitised
    .replace(TAG, (_tag, _slash, name: string) => (BLOCKS.includes(name) || name === 'br' ? ' ' : ''))
    .replace(/&(?:lt|gt|quot|amp|nbsp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}

const WORDS_PER_MINUTE = 200;

/** What is kept beside an article's content, so that lists need not read it: computed from sanitised HTML. */
export function measureArticle(sanitised: string): {
  summary: string;
  readTimeMinutes: number;
  blank: boolean;
} {
  const text = textOfArticle(sanitised);
  const words = text === '' ? 0 : text.split(' ').length;
  return {
    summary: firstCharacters(text, SUMMARY_KEPT).trim(),
    readTimeMinutes: Math.max(1, Math.ceil(words / WORDS_PER_MINUTE)),
    blank: isInvisible(text),
  };
}
