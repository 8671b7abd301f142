import type { Element } from 'domhandler';

/** Elements whose text is quoted or shown as an example, not addressed to the visitor. */
const QUOTING = new Set([
  'blockquote',
  'q',
  'pre',
  'code',
  'samp',
  'kbd',
  'address',
  'cite',
  'xmp',
  'aside',
  'plaintext',
]);
const NAVIGATION_NAMES =
  /(?:^|[\s_-])(?:nav|navbar|navigation|navi|menu|menue|menubar|topnav|mainnav|sitenav|gnav|globalnav|megamenu|mainmenu|topmenu|breadcrumbs?|categories|categorynav)(?:[\s_-]|$)/i;
const ARTICLE_NAMES =
  /(?:^|\s)(?:article|post|entry|story|blog|news)[-_]{1,2}(?:body|content|text|copy|detail)(?:\s|$)/i;
const ASIDE_NAMES =
  /(?:^|[\s_-])(?:live-?chat|chat|chat-?(?:box|widget|window)|faqs?|accordion)(?:[\s_-]|$)/i;
const POST_NAMES =
  /(?:^|\s)(?:(?:user|forum|blog|thread|topic)[-_]?)?(?:post|comment|reply|answer|tweet)(?:[-_](?:item|body|content|text))?(?:\s|$)/i;
/** Allows the suffix that build tools append to a name (`header_a1b2`). */
const FRAME_NAMES =
  /(?:^|\s)(?:js-)?(?:(?:site|global|top|shop|store|app|layout|main|page)[-_]{1,2})?(?:header|footer|masthead|topbar|navbar|(?:announcement|promo|usp|top)[-_]?(?:bar|banner|strip))(?:[-_]{1,2}(?=[a-z]*\d)\w{2,10})?(?:\s|$)/i;
const FOOTER_NAMES =
  /(?:^|\s)(?:(?:site|global|page|main)[-_]{1,2})?footer(?:[-_]{1,2}(?=[a-z]*\d)\w{2,10})?(?:\s|$)/i;
const CONSENT_NAMES = /(?:^|[\s_-])(?:cookies?|consent|gdpr|onetrust)(?:[\s_-]|$)/i;
const BYLINE = /(?:^|[\s_-])(?:byline|author|breadcrumbs?|published|posted-on|entry-meta)(?:[\s_-]|$)/i;

/** The kinds that the names in a class list or an id suggest. */
interface Kinds {
  navigation: boolean;
  article: boolean;
  aside: boolean;
  post: boolean;
  frame: boolean;
  footer: boolean;
  byline: boolean;
  review: boolean;
}

const NO_KINDS: Kinds = readNames('');
const MAX_CACHED = 2000;
const cache = new Map<string, Kinds>();

/** Cached, because pages repeat the same few class lists thousands of times. */
function kindsOf(names: string | undefined): Kinds {
  if (names === undefined || names === '') return NO_KINDS;
  const cached = cache.get(names);
  if (cached !== undefined) return cached;
  const kinds = readNames(names);
  if (cache.size >= MAX_CACHED) cache.clear();
  if (names.length < 500) cache.set(names, kinds);
  return kinds;
}

function readNames(names: string): Kinds {
  return {
    navigation: NAVIGATION_NAMES.test(names),
    article: ARTICLE_NAMES.test(names),
    aside: ASIDE_NAMES.test(names),
    post: POST_NAMES.test(names),
    frame: FRAME_NAMES.test(names) || CONSENT_NAMES.test(names),
    footer: FOOTER_NAMES.test(names),
    byline: BYLINE.test(names),
    review: /review|testimonial/i.test(names),
  };
}

/** Whether an element is the footer of the page or of a section. */
export function isFooter({ name, attribs }: Element): boolean {
  if (name === 'footer' || attribs['role'] === 'contentinfo' || attribs['id'] === 'footer') return true;
  return name === 'div' && kindsOf(attribs['class']).footer;
}

/** Whether an element's text is quoted, an example, or a side matter: not addressed by the page to its visitor. */
export function isQuotation({ name, attribs }: Element): boolean {
  if (QUOTING.has(name) || /^(?:complementary|log|note|comment)$/.test(attribs['role'] ?? '')) return true;
  if (/^(?:review|comment|acceptedAnswer|suggestedAnswer)/i.test(attribs['itemprop'] ?? '')) return true;
  const kinds = kindsOf(attribs['class']);
  // `aside`: chats and collapsed FAQs.
  return kinds.review || kinds.aside || ASIDE_NAMES.test(attribs['id'] ?? '');
}

/** Whether an element is named as a post of a discussion. */
export function isPost({ name, attribs }: Element): boolean {
  if (name === 'body' || name === 'main' || name === 'html') return false;
  return kindsOf(attribs['class']).post;
}

export function isMain({ name, attribs }: Element): boolean {
  return name === 'main' || name === 'article' || attribs['role'] === 'main';
}

/**
 * Whether an element belongs to the frame that all pages of a site share, by its tag, its role or a common name. Inside
 * the main element (`inMain`), a header or footer belongs to a section instead.
 */
export function isFrame(element: Element, inMain: boolean): boolean {
  const { name, attribs } = element;
  const role = attribs['role'] ?? '';
  if (name === 'nav' || name === 'dialog') return true;
  if (role !== '' && /^(?:navigation|menubar|banner|contentinfo|dialog|alertdialog)$/.test(role)) return true;
  if (inMain) return false;
  if (isNavigation(element)) return true;
  if (name === 'header' || name === 'footer' || name === 'site-header' || name === 'site-footer') return true;
  if (name !== 'div' && name !== 'section' && name !== 'table' && name !== 'ul') return false;
  return kindsOf(attribs['class']).frame || kindsOf(attribs['id']).frame;
}

export function isArticle({ name, attribs }: Element): boolean {
  if (name === 'article' || attribs['role'] === 'article' || attribs['itemprop'] === 'articleBody')
    return true;
  return (name === 'div' || name === 'section') && kindsOf(attribs['class']).article;
}

/** Whether an element is navigation, or the header of a page or a section. */
export function isNavigation({ name, attribs }: Element): boolean {
  if (name === 'nav' || name === 'header') return true;
  if (attribs['role'] !== undefined && /^(?:navigation|menubar|menu|banner)$/.test(attribs['role']))
    return true;
  if (name !== 'div' && name !== 'ul' && name !== 'section' && name !== 'aside' && name !== 'table')
    return false;
  return kindsOf(attribs['class']).navigation || kindsOf(attribs['id']).navigation;
}

/** Whether an element names an author, a time, or a position on the site (breadcrumbs). */
export function isByline({ name, attribs }: Element): boolean {
  return name === 'time' || attribs['rel'] === 'author' || kindsOf(attribs['class']).byline;
}
