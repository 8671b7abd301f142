import { type Element, type ParentNode, isTag } from 'domhandler';

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
  'u-hiddenvisually',
  'sr-only',
  'screen-reader-text',
]);
/** Classes that show an element on wide screens although another class hides it: common for navigation. */
const SHOWN_ON_WIDE_SCREENS =
  /(?:^|\s)(?:(?:sm|md|lg|xl|2xl):(?:block|flex|grid|inline|inline-block|inline-flex|table|contents)|d-(?:sm|md|lg|xl|xxl)-(?:block|flex|grid|inline|inline-block|inline-flex|table))(?:\s|$)/;
/** Attributes that hide an element until its framework runs (alpinejs.dev, `x-cloak`; vuejs.org, `v-cloak`; angularjs.org, `ng-cloak`). */
const WAITS_FOR_SCRIPTS = ['x-cloak', 'v-cloak', 'ng-cloak'];
/** Attributes by which those frameworks show or hide an element. */
const SHOWN_BY_SCRIPTS = ['x-show', 'x-if', 'v-show', 'v-if', 'ng-show', 'ng-if', ':hidden'];
/** BigCommerce's choices of a product, which its script always shows (bigcommerce/cornerstone, `product-view.html`). */
const SHOWN_BY_SHOP = 'data-product-option-change';
/** Of the children of a host. */
const MAX_SLOTTED = 100;
/** Main parts of a page. An open dialog sets aria-hidden on them, but they stay visible on the screen. */
const PAGE_PARTS = new Set(['main', 'header']);
const PAGE_ROOTS = /^(?:root|app|__next|__nuxt|page|site|wrapper|main|content|container)$/i;
const OPENED_CLASSES = /(?:^|[\s_-])(?:show|shown|open|opened|in|active|visible)(?:\s|$)/;
/** Declarations that hide an element: not painted, clipped, or moved outside the window. */
const HIDING =
  /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|clip-path\s*:\s*(?:inset\((?:50|100)%|circle\(0)|clip\s*:\s*rect\(\s*(?:0|1px)[\s,]|text-indent\s*:\s*-\d{3}|(?:left|top|right)\s*:\s*-(?:\d{4}|999)|transform\s*:\s*scale\(0\)/i;
const NO_HEIGHT = /(?:^|[;\s])(?:max-)?height\s*:\s*0(?:px)?\s*(?:[;!]|$)/i;
const CUT_OFF = /overflow(?:-y)?\s*:\s*(?:hidden|clip)/i;
const TRANSPARENT = /(?:^|[;\s])opacity\s*:\s*(?:0(?:\.0{0,9})?|\.0{1,9})%?\s*(?:[;!]|$)/i;
/** An animation usually fades the element in. */
const ANIMATED = /animation(?:-name)?\s*:/i;
type Property = 'display' | 'visibility' | 'opacity' | 'place' | 'use';
const DECIDES = /^\s*(?:display|visibility|opacity)\s*:/i;
const UNUSABLE =
  /pointer-events\s*:\s*none|cursor\s*:\s*not-allowed|text-decoration[^;:]{0,20}:[^;]{0,40}line-through/i;
const DISPLAYED = /(?:^|[;\s{])display\s*:/i;
const MADE_VISIBLE = /visibility\s*:\s*visible/i;
const OPACITY = /opacity\s*:/i;
const NOT_DISPLAYED = /display\s*:\s*none/i;
const INVISIBLE = /visibility\s*:\s*(?:hidden|collapse)/i;

function hides(declarations: string): boolean {
  return HIDING.test(declarations) || (NO_HEIGHT.test(declarations) && CUT_OFF.test(declarations));
}

function isTransparent(declarations: string): boolean {
  return TRANSPARENT.test(declarations) && !ANIMATED.test(declarations);
}

/** The effect of declarations on an element: hides or shows it, by which property. Null: neither. */
function effectOf(declarations: string): Pick<StyleRule, 'hides' | 'property'> | null {
  if (NOT_DISPLAYED.test(declarations)) return { hides: true, property: 'display' };
  if (INVISIBLE.test(declarations)) return { hides: true, property: 'visibility' };
  if (hides(declarations)) return { hides: true, property: 'place' };
  if (isTransparent(declarations)) return { hides: true, property: 'opacity' };
  if (DISPLAYED.test(declarations)) return { hides: false, property: 'display' };
  if (MADE_VISIBLE.test(declarations)) return { hides: false, property: 'visibility' };
  if (UNUSABLE.test(declarations)) return { hides: true, property: 'use' };
  return OPACITY.test(declarations) ? { hides: false, property: 'opacity' } : null;
}

/** A part of a selector without combinators: `p.stock[data-state="out"]`. */
interface Compound {
  tag: string | null;
  id: string | null;
  classes: string[];
  attributes: Array<{ name: string; value: string | null }>;
  /** Whether it must be the parent of the compound behind it, not any ancestor. */
  isParent: boolean;
}

/** A rule of a style sheet that hides or shows elements. */
interface StyleRule {
  hides: boolean;
  property: Property;
  subject: Compound;
  /** The required ancestors of the subject, from the inside out. */
  around: Compound[];
  specificity: number;
}

/** The rules of the page's own style sheets that hide or show elements. */
export interface HiddenByStyle {
  /** By an id (`#room`), a class (`.overlay`) or a tag of the subject. */
  rules: ReadonlyMap<string, readonly StyleRule[]>;
  /** By tag, id and class list: the rules whose subject may be such an element; none if none of them hides. */
  cache: Map<string, readonly StyleRule[]>;
  /** How many more elements may be compared with compounds; no rule applies afterwards. */
  comparisonsLeft: number;
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
  if (element.name === 'slot' && isFilled(element)) return true;
  if (WAITS_FOR_SCRIPTS.some((name) => name in attribs) && SHOWN_BY_SCRIPTS.some((name) => name in attribs))
    return true;
  const style = attribs['style'];
  if (style !== undefined && hides(style) && !(SHOWN_BY_SHOP in attribs)) return true;
  if (style !== undefined && !revealed && isTransparent(style) && !isPagePart(element)) return true;
  const classes = attribs['class'];
  if (classes !== undefined && isHiddenByFramework(classes, attribs['aria-modal'])) return true;
  return isHiddenByRules(element, byStyle, revealed);
}

/** Whether an element is a declarative shadow root, whose content the browser shows in its parent. */
export function isShadowRoot({ name, attribs }: Element): boolean {
  return name === 'template' && attribs['shadowrootmode'] !== undefined;
}

/**
 * Whether the content of a slot in a shadow root is replaced: an element of the host has its name
 * (html.spec.whatwg.org, "The slot element").
 */
function isFilled(slot: Element): boolean {
  let root: ParentNode | null = slot.parent;
  for (let up = 0; up < MAX_ANCESTORS && root !== null && !(isTag(root) && isShadowRoot(root)); up += 1)
    root = root.parent;
  const host = root === null || !isTag(root) || !isShadowRoot(root) ? null : root.parent;
  if (host === null) return false;
  const name = slot.attribs['name'] ?? '';
  return host.children
    .slice(0, MAX_SLOTTED)
    .some((child) => isTag(child) && child.name !== 'template' && (child.attribs['slot'] ?? '') === name);
}

function isPagePart({ name, attribs }: Element): boolean {
  return PAGE_PARTS.has(name) || PAGE_ROOTS.test(attribs['id'] ?? '');
}

function isHiddenByFramework(classes: string, ariaModal: string | undefined): boolean {
  for (const name of classes.split(/\s+/)) {
    if (HIDING_CLASSES.has(name.toLowerCase())) return !SHOWN_ON_WIDE_SCREENS.test(classes);
    // Bootstrap's modals are hidden until a script marks them as shown.
    if (name === 'modal' && ariaModal !== 'true' && !OPENED_CLASSES.test(classes)) return true;
  }
  return false;
}

/** Whether the page's own style sheets draw an element as one that cannot be used, or strike it through. */
export function isDrawnOff(element: Element, byStyle: HiddenByStyle): boolean {
  return rulesFor(element, byStyle).some(
    (rule) => rule.property === 'use' && isSelected(element, rule, byStyle),
  );
}

/** Whether the rule that wins by CSS's cascade, for one of the properties, hides an element. */
function isHiddenByRules(element: Element, byStyle: HiddenByStyle, revealed: boolean): boolean {
  const rules = rulesFor(element, byStyle);
  const strongest = new Map<Property, StyleRule>();
  for (const rule of rules) {
    const before = strongest.get(rule.property);
    if (
      (before === undefined || rule.specificity >= before.specificity) &&
      isSelected(element, rule, byStyle)
    )
      strongest.set(rule.property, rule);
  }
  const style = element.attribs['style'] ?? '';
  for (const { hides: isHiding, property } of strongest.values()) {
    if (!isHiding || property === 'use') continue;
    if (property === 'display' && DISPLAYED.test(style)) continue;
    if (property === 'opacity' && (revealed || isPagePart(element) || OPACITY.test(style))) continue;
    return true;
  }
  return false;
}

/** Maximum numbers of rules by a key, of classes of an element, and of elements around one. */
const MAX_RULES = 20;
const MAX_CLASSES = 30;
const MAX_ANCESTORS = 30;
/** Of elements with compounds, for a whole page. The sample pages need fewer than a thousand. */
const MAX_COMPARISONS = 1_000_000;

/** The rules whose subject has a tag, an id or a class of the element, in the order of the sheets. */
function rulesFor({ name, attribs }: Element, { rules, cache }: HiddenByStyle): readonly StyleRule[] {
  if (rules.size === 0) return [];
  // Cached, because pages repeat the same few class lists thousands of times.
  const key = `${name} #${attribs['id'] ?? ''} ${attribs['class'] ?? ''}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const classes = (attribs['class'] ?? '').split(/\s+/).slice(0, MAX_CLASSES);
  const keys = new Set([name, `#${attribs['id'] ?? ''}`, ...classes.map((one) => `.${one}`)]);
  const found = [...keys].flatMap((one) => rules.get(one) ?? []);
  const useful = found.some((rule) => rule.hides) ? found : [];
  cache.set(key, useful);
  return useful;
}

function isSelected(element: Element, { subject, around }: StyleRule, byStyle: HiddenByStyle): boolean {
  if (byStyle.comparisonsLeft <= 0) return false;
  const isLike = (other: Element, compound: Compound) => {
    byStyle.comparisonsLeft -= 1;
    return fits(other, compound);
  };
  if (!isLike(element, subject)) return false;
  let [at, up]: [ParentNode | null, number] = [element.parent, 0];
  for (const compound of around) {
    while (!compound.isParent && at !== null && up < MAX_ANCESTORS && !(isTag(at) && isLike(at, compound))) {
      at = at.parent;
      up += 1;
    }
    if (at === null || up >= MAX_ANCESTORS || !isTag(at) || !isLike(at, compound)) return false;
    at = at.parent;
    up += 1;
  }
  return true;
}

function fits({ name, attribs }: Element, { tag, id, classes, attributes }: Compound): boolean {
  if ((tag !== null && tag !== name) || (id !== null && id !== attribs['id'])) return false;
  const own = ` ${attribs['class']?.replace(/\s/g, ' ') ?? ''} `;
  return (
    classes.every((one) => own.includes(` ${one} `)) &&
    attributes.every(({ name: called, value }) => {
      const actual = attribs[called];
      return actual !== undefined && (value === null || value === actual);
    })
  );
}

/**
 * Reads style sheets for rules that hide or show elements: `#id { display: none }`, `.state-out .buy { visibility: hidden }`.
 * Rules in at-rules such as @media depend on the screen and are ignored, and so are selectors with pseudo-classes or
 * siblings.
 */
export function readHidingStyles(styleSheets: readonly string[]): HiddenByStyle {
  const rules = new Map<string, StyleRule[]>();
  for (const sheet of styleSheets) {
    for (const { selectors, body } of topLevelRules(sheet)) {
      const effect = effectOf(body);
      if (effect === null) continue;
      const isImportant = body.split(';').some((one) => DECIDES.test(one) && /!important/i.test(one));
      for (const selector of selectors.split(',')) {
        const parsed = readSelector(selector);
        if (parsed === null) continue;
        const { subject, around } = parsed;
        const [first] = subject.classes;
        const key = subject.id !== null ? `#${subject.id}` : first !== undefined ? `.${first}` : subject.tag;
        // A tag alone is too much: `dialog { display: none }`.
        if (key === null || (key === subject.tag && around.length === 0)) continue;
        const specificity = specificityOf([subject, ...around]) + (isImportant ? 1e6 : 0);
        const list = rules.get(key) ?? [];
        if (list.length < MAX_RULES) rules.set(key, [...list, { ...effect, subject, around, specificity }]);
      }
    }
  }
  return { rules, cache: new Map(), comparisonsLeft: MAX_COMPARISONS };
}

/** How strong a selector is, as in CSS: ids, then classes and attributes, then tags. */
function specificityOf(compounds: readonly Compound[]): number {
  return compounds.reduce(
    (sum, { id, classes, attributes, tag }) =>
      sum + (id === null ? 0 : 1e4) + (classes.length + attributes.length) * 100 + (tag === null ? 0 : 1),
    0,
  );
}

const COMPOUND = /^([a-z][\w-]*|\*)?((?:[.#][\w-]+|\[[\w-]+(?:=(?:"[^"\]]*"|'[^'\]]*'|[\w-]+))?\])*)$/i;
const SIMPLE = /([.#])([\w-]+)|\[([\w-]+)(?:=["']?([^"'[\]]*)["']?)?\]/g;

/** A selector of compounds, each in or directly in the one before it, or null. */
function readSelector(selector: string): Pick<StyleRule, 'subject' | 'around'> | null {
  if (selector.length > 200 || /[:+~]/.test(selector)) return null;
  const compounds: Compound[] = [];
  let isChild = false;
  for (const part of selector.replaceAll('>', ' > ').trim().split(/\s+/)) {
    if (part === '>') {
      isChild = true;
      continue;
    }
    const match = COMPOUND.exec(part);
    if (match === null) return null;
    const last = compounds.at(-1);
    if (last !== undefined) last.isParent = isChild;
    isChild = false;
    const compound: Compound = {
      tag: match[1] === undefined || match[1] === '*' ? null : match[1].toLowerCase(),
      id: null,
      classes: [],
      attributes: [],
      isParent: false,
    };
    for (const [, sign, name = '', attribute, value] of (match[2] ?? '').matchAll(SIMPLE)) {
      if (sign === '#') compound.id = name;
      else if (sign === '.') compound.classes.push(name);
      else if (attribute !== undefined) compound.attributes.push({ name: attribute, value: value ?? null });
    }
    compounds.push(compound);
  }
  const subject = compounds.pop();
  return subject === undefined ? null : { subject, around: compounds.reverse() };
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
