import type { Element } from 'domhandler';

/** What stands in these is shown or quoted, not said by the page to its visitor. */
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
/** With what build tools append to a name (`header_a1b2`). */
const FRAME_NAMES =
  /(?:^|\s)(?:js-)?(?:(?:site|global|top|shop|store|app|layout|main|page)[-_]{1,2})?(?:header|footer|masthead|topbar|navbar|(?:announcement|promo|usp|top)[-_]?(?:bar|banner|strip))(?:[-_]{1,2}(?=[a-z]*\d)\w{2,10})?(?:\s|$)/i;
const FOOTER_NAMES =
  /(?:^|\s)(?:(?:site|global|page|main)[-_]{1,2})?footer(?:[-_]{1,2}(?=[a-z]*\d)\w{2,10})?(?:\s|$)/i;
const CONSENT_NAMES = /(?:^|[\s_-])(?:cookies?|consent|gdpr|onetrust)(?:[\s_-]|$)/i;
const BYLINE = /(?:^|[\s_-])(?:byline|author|breadcrumbs?|published|posted-on|entry-meta)(?:[\s_-]|$)/i;

/** What the names in a class list or an id make of an element. */
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
const MOST_KEPT = 2000;
const kept = new Map<string, Kinds>();

/** Pages repeat the same few class lists thousands of times. */
function kindsOf(names: string | undefined): Kinds {
  if (names === undefined || names === '') return NO_KINDS;
  const known = kept.get(names);
  if (known !== undefined) return known;
  const kinds = readNames(names);
  if (kept.size >= MOST_KEPT) kept.clear();
  if (names.length < 500) kept.set(names, kinds);
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

/** Whether an element is the footer of the page or of a part. */
export function isFooter({ name, attribs }: Element): boolean {
  if (name === 'footer' || attribs['role'] === 'contentinfo' || attribs['id'] === 'footer') return true;
  return name === 'div' && kindsOf(attribs['class']).footer;
}

/** Whether what an element holds is quoted, shown, or said beside the page: not by the page to its visitor. */
export function isQuotation({ name, attribs }: Element): boolean {
  if (QUOTING.has(name) || /^(?:complementary|log|note|comment)$/.test(attribs['role'] ?? '')) return true;
  if (/^(?:review|comment|acceptedAnswer|suggestedAnswer)/i.test(attribs['itemprop'] ?? '')) return true;
  const kinds = kindsOf(attribs['class']);
  // Chats and folded questions.
  return kinds.review || kinds.aside || ASIDE_NAMES.test(attribs['id'] ?? '');
}

/** Whether an element is named as one contribution to a discussion. */
export function isPost({ name, attribs }: Element): boolean {
  if (name === 'body' || name === 'main' || name === 'html') return false;
  return kindsOf(attribs['class']).post;
}

export function isMain({ name, attribs }: Element): boolean {
  return name === 'main' || name === 'article' || attribs['role'] === 'main';
}

/**
 * Whether an element belongs to the frame that the pages of a site share, by its kind, its role or the usual names.
 * In the main part (`inMain`), headers and footers are those of its parts.
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

/** Whether an element holds the way around the site, or heads a page or a part of it. */
export function isNavigation({ name, attribs }: Element): boolean {
  if (name === 'nav' || name === 'header') return true;
  if (attribs['role'] !== undefined && /^(?:navigation|menubar|menu|banner)$/.test(attribs['role']))
    return true;
  if (name !== 'div' && name !== 'ul' && name !== 'section' && name !== 'aside' && name !== 'table')
    return false;
  return kindsOf(attribs['class']).navigation || kindsOf(attribs['id']).navigation;
}

/** Whether an element says who wrote something, when, or where on the site it stands. */
export function isByline({ name, attribs }: Element): boolean {
  return name === 'time' || attribs['rel'] === 'author' || kindsOf(attribs['class']).byline;
}
