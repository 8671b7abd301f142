import type { Element } from 'domhandler';

/** Elements whose content a browser with JavaScript never paints as text. */
const NEVER_PAINTED = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'noembed',
  'noframes',
  'head',
  'title',
  'textarea',
  'select',
  'datalist',
  'iframe',
  'object',
  'symbol',
  'defs',
  'clipPath',
  'mask',
  'metadata',
  'canvas',
  'audio',
  'video',
  'math',
]);

/** Elements within a line of text. */
export const INLINE: ReadonlySet<string> = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** Class names with which the common CSS frameworks hide elements. */
const HIDING_CLASSES = new Set([
  'hidden',
  'hide',
  'is-hidden',
  'u-hidden',
  'd-none',
  'display-none',
  'invisible',
  'visually-hidden',
  'visuallyhidden',
  'sr-only',
  'screen-reader-text',
]);
/** Classes that show an element on wide screens although another class hides it: common for navigation. */
const SHOWN_ON_WIDE_SCREENS =
  /(?:^|\s)(?:(?:sm|md|lg|xl|2xl):(?:block|flex|grid|inline|inline-block|inline-flex|table|contents)|d-(?:sm|md|lg|xl|xxl)-(?:block|flex|grid|inline|inline-block|inline-flex|table))(?:\s|$)/;
/** Main parts of a page. An open dialog sets aria-hidden on them, but they stay visible on the screen. */
const PAGE_PARTS = new Set(['main', 'header']);
const PAGE_ROOTS = /^(?:root|app|__next|__nuxt|page|site|wrapper|main|content|container)$/i;
const OPENED_CLASSES = /(?:^|[\s_-])(?:show|shown|open|opened|in|active|visible)(?:\s|$)/;
/** Declarations that hide an element: not painted, clipped, or moved outside the window. */
const HIDING =
  /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|clip-path\s*:\s*(?:inset\((?:50|100)%|circle\(0)|clip\s*:\s*rect\(\s*(?:0|1px)[\s,]|text-indent\s*:\s*-\d{3}|(?:left|top|right)\s*:\s*-\d{4}|transform\s*:\s*scale\(0\)/i;
const NO_HEIGHT = /(?:^|[;\s])(?:max-)?height\s*:\s*0(?:px)?\s*(?:[;!]|$)/i;
const CUT_OFF = /overflow(?:-y)?\s*:\s*(?:hidden|clip)/i;
const TRANSPARENT = /(?:^|[;\s])opacity\s*:\s*(?:0(?:\.0{0,9})?|\.0{1,9})%?\s*(?:[;!]|$)/i;
/** An animation usually fades the element in. */
const ANIMATED = /animation(?:-name)?\s*:/i;
const SHOWING = /display\s*:|visibility\s*:\s*visible|opacity\s*:/i;

function hides(declarations: string): boolean {
  return HIDING.test(declarations) || (NO_HEIGHT.test(declarations) && CUT_OFF.test(declarations));
}

function isTransparent(declarations: string): boolean {
  return TRANSPARENT.test(declarations) && !ANIMATED.test(declarations);
}

/** The elements that the page's own style sheets hide, by a single id or class. */
export interface HiddenByStyle {
  ids: ReadonlySet<string>;
  classes: ReadonlySet<string>;
  /** Selectors of transparent elements: `.overlay`, `#room`. */
  transparent: ReadonlySet<string>;
  /** By hiding class, the class combinations that override it: `.view.active { display: block }`. */
  overrides: ReadonlyMap<string, ReadonlyArray<readonly string[]>>;
  /** Whether a class list hides its element. */
  cache: Map<string, boolean>;
}

/**
 * Whether an element and its content are hidden when the page loads: by its tag, its attributes, a framework's hiding
 * class, or the page's own style sheet. With `revealed`, transparent elements count as visible. `spoken`: what is hidden when
 * screen readers do not read it: `yes`, every element; `lines`, all but parts of a line (`<ins aria-hidden="true">£4.99</ins>`);
 * `no`, none.
 */
export function isHidden(
  element: Element,
  byStyle: HiddenByStyle,
  { revealed = false, spoken = 'yes' }: { revealed?: boolean; spoken?: 'yes' | 'lines' | 'no' } = {},
): boolean {
  if (NEVER_PAINTED.has(element.name)) return !isShadowRoot(element);
  // Pages often hide their root until fonts or A/B tests have loaded.
  if (element.name === 'html' || element.name === 'body') return false;
  const { attribs } = element;
  if (attribs['hidden'] !== undefined || attribs['popover'] !== undefined) return true;
  if (
    attribs['aria-hidden'] === 'true' &&
    spoken !== 'no' &&
    !isPagePart(element) &&
    !(spoken === 'lines' && INLINE.has(element.name))
  )
    return true;
  if (element.name === 'dialog' && attribs['open'] === undefined) return true;
  const style = attribs['style'];
  if (style !== undefined && hides(style)) return true;
  if (style !== undefined && !revealed && isTransparent(style) && !isPagePart(element)) return true;
  const id = attribs['id'];
  if (id !== undefined && byStyle.ids.has(id)) return true;
  if (id !== undefined && !revealed && byStyle.transparent.has(`#${id}`) && !isPagePart(element)) return true;
  const classes = attribs['class'];
  if (classes === undefined) return false;
  // Cached, because pages repeat the same few class lists thousands of times.
  const key = `${classes}${attribs['aria-modal'] === 'true' ? ' (open)' : ''}${revealed ? ' (revealed)' : ''}`;
  const known = byStyle.cache.get(key);
  if (known !== undefined) return known;
  const hidden = isHiddenByClass(classes, attribs['aria-modal'], byStyle, revealed);
  byStyle.cache.set(key, hidden);
  return hidden;
}

/** Whether an element is a declarative shadow root, whose content the browser shows in its parent. */
export function isShadowRoot({ name, attribs }: Element): boolean {
  return name === 'template' && attribs['shadowrootmode'] !== undefined;
}

function isPagePart({ name, attribs }: Element): boolean {
  return PAGE_PARTS.has(name) || PAGE_ROOTS.test(attribs['id'] ?? '');
}

function isHiddenByClass(
  classes: string,
  ariaModal: string | undefined,
  byStyle: HiddenByStyle,
  revealed: boolean,
): boolean {
  const names = classes.split(/\s+/);
  for (const name of names) {
    if (HIDING_CLASSES.has(name.toLowerCase())) return !SHOWN_ON_WIDE_SCREENS.test(classes);
    // Bootstrap's modals are hidden until a script marks them as shown.
    if (name === 'modal' && ariaModal !== 'true' && !OPENED_CLASSES.test(classes)) return true;
    if (byStyle.classes.has(name) || (!revealed && byStyle.transparent.has(`.${name}`))) {
      const overrides = byStyle.overrides.get(name) ?? [];
      return !overrides.some((combination) => combination.every((one) => names.includes(one)));
    }
  }
  return false;
}

/**
 * Reads style sheets for rules such as `#id { display: none }` and `.class { visibility: hidden }`. Rules in at-rules
 * such as @media depend on the screen and are ignored, and so are selectors with combinators.
 */
export function readHidingStyles(styleSheets: readonly string[]): HiddenByStyle {
  const ids = new Set<string>();
  const classes = new Set<string>();
  const transparent = new Set<string>();
  const overrides = new Map<string, string[][]>();
  for (const sheet of styleSheets) {
    for (const rule of topLevelRules(sheet)) {
      const hidden = hides(rule.body);
      const invisible = !hidden && isTransparent(rule.body);
      if (!hidden && !SHOWING.test(rule.body)) continue;
      for (const selector of rule.selectors.split(',')) {
        const simple = /^\s*(?:[a-z]+)?([.#])([\w-]+)\s*$/i.exec(selector);
        const compound = /^\s*(?:[a-z]+)?((?:\.[\w-]+){2,6})\s*$/i.exec(selector);
        if (hidden && simple?.[2] !== undefined) (simple[1] === '#' ? ids : classes).add(simple[2]);
        if (invisible && simple?.[2] !== undefined) transparent.add(`${simple[1]}${simple[2]}`);
        if (!hidden && !invisible && compound?.[1] !== undefined)
          addOverride(compound[1].slice(1).split('.'), overrides);
      }
    }
  }
  return { ids, classes, transparent, overrides, cache: new Map() };
}

/** Maximum number of overrides per hiding class. */
const MAX_OVERRIDES = 20;

function addOverride(names: string[], overrides: Map<string, string[][]>): void {
  for (const name of names) {
    const known = overrides.get(name) ?? [];
    if (known.length < MAX_OVERRIDES) overrides.set(name, [...known, names]);
  }
}

function* topLevelRules(sheet: string): Generator<{ selectors: string; body: string }> {
  const css = sheet.replace(/\/\*[^]*?(?:\*\/|$)/g, '');
  let position = 0;
  while (position < css.length) {
    const open = css.indexOf('{', position);
    if (open === -1) return;
    const selectors = (css.slice(position, open).split(/[;}]/).at(-1) ?? '').trim();
    let depth = 1;
    let end = open + 1;
    for (; end < css.length && depth > 0; end += 1) {
      const char = css.charCodeAt(end);
      if (char === 0x7b) depth += 1;
      else if (char === 0x7d) depth -= 1;
    }
    if (!selectors.startsWith('@')) yield { selectors, body: css.slice(open + 1, end - 1) };
    position = end;
  }
}
