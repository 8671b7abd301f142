import type { Element } from 'domhandler';
import type { ProductReader } from './product-reader';

const OUTSIDE_TAGS: ReadonlySet<string> = new Set(
  'nav footer dialog aside site-footer blockquote'.split(' '),
);
const OUTSIDE_ROLES = /^(?:navigation|contentinfo|dialog|alertdialog|search|menu|menubar|complementary)$/;
/** Names of what surrounds a product: other products, reviews, menus, notes. */
const OUTSIDE_NAMES =
  /(?:^|[\s_-])(?:related|recommend(?:ed|ations?|s)?|recs|upsells?|up-sells?|cross-?sells?|crosssell|also-?(?:like|bought|viewed)|you-?may(?:-also)?|similar|carousels?|recently|viewed|bundles?|frequently|fbt|complementary|accessories|popular|trending|bestsellers?|suggestions?|suggested|featured-products?|(?<!grouped-)(?:product|products|card|tile)s?-(?:grid|list(?!-field)|slider|carousel|rail|row)|productcarousel|reviews?|ratings?|questions?|q-?and-?a|qanda|qa|faqs?|comments?|testimonials?|newsletter|mini-?(?:cart|basket|bag)|cart-(?:drawer|popup|notification|modal|preview)|(?:cart|basket)drawer|drawer|modal|popup|pop-up|off-?canvas|breadcrumbs?|menu|navbar|cookies?|cookie-banner|consent|footer|announcement(?:-bar)?|promo-?(?:bar|banner|strip)|quick-?(?:view|shop|add|buy)|instagram|blog|sponsored|ads?|advert|(?:other|alternative|more)-?sellers|more-?buying|aod|marketplace-?offers|sellers-list|tooltip|loyalty|rewards|block-?reassurance(?:-product)?|trade-?in|gift-?card)(?:[\s_-]|$)/i;
/** Names of the texts below a product: a word there is about its content, not its stock. */
const NOTES_NAMES =
  /(?:^|[\s_-])(?:descriptions?|desc|rte|tabs?|tabbody|tab-content|tab-panel|tabpanel|accordions?|specifications?|specs|feature-bullets|short-description|product-information|long-text|(?:delivery|shipping|shop|store)-?(?:notes?|info|policy|terms)|returns|warranty|delivery-returns|shipping-policy)(?:[\s_-]|$)/i;
/** Elements whose names do not exclude them. */
const NEVER_OUTSIDE: ReadonlySet<string> = new Set(
  'html body main button input label option select h1'.split(' '),
);

/** The kinds of the parts of a page by their own names. */
export interface PageAreas {
  /** By element: 2, named as something around a product; 1, as its texts; 0, neither. */
  named: Uint8Array;
  /** By element: whether it lies in a part around a product. */
  inHard: Uint8Array;
}

/** Reads from tags, roles and names which parts of a page are around its product, and which are texts about it. */
export function readAreas(reader: ProductReader): PageAreas {
  const { elements, parents } = reader;
  const count = elements.length;
  const inHard = new Uint8Array(count);
  const named = new Uint8Array(count);
  const cache = new Map<string, number>();
  for (let node = 0; node < count; node += 1) {
    const element = elements[node];
    const parent = parents[node] ?? -1;
    if (element === undefined) continue;
    const { name, attribs } = element;
    let kind = 0;
    if (OUTSIDE_TAGS.has(name) || OUTSIDE_ROLES.test(attribs['role'] ?? '')) kind = 2;
    else if (!NEVER_OUTSIDE.has(name)) {
      const hook = hookOf(attribs);
      const key = `${attribs['class'] ?? ''} ${attribs['id'] ?? ''}\n${hook}`;
      let known = key === ' \n' ? 0 : cache.get(key);
      if (known === undefined) {
        // "price-and-rating" is the product's.
        const words = splitNames(`${attribs['class'] ?? ''} ${attribs['id'] ?? ''}`)
          .split(/\s+/)
          .filter((word) => !word.includes('price'))
          .join(' ');
        known = OUTSIDE_NAMES.test(words)
          ? 2
          : NOTES_NAMES.test(words) || NOTES_NAMES.test(splitNames(hook))
            ? 1
            : 0;
        if (key.length < 300) cache.set(key, known);
      }
      if (known === 2 && name === 'form') known = 0;
      kind = known;
    }
    // An element that is named like a text but has a form is the section that sells.
    if (name === 'form')
      for (let at = parent; at >= 0 && named[at] === 1; at = parents[at] ?? -1) named[at] = 0;
    named[node] = kind;
    inHard[node] = kind === 2 || (parent >= 0 && inHard[parent] === 1) ? 1 : 0;
  }
  return { named, inHard };
}

/** The name of an element for scripts and tests, which is its only one where class names are made by a build: `data-hook="description"`. */
function hookOf(attribs: Record<string, string>): string {
  return attribs['data-hook'] ?? attribs['data-testid'] ?? attribs['data-test'] ?? attribs['data-auto'] ?? '';
}

/** Whether an element is outside by its tag or role, regardless of its names. */
export function isOutsideByTag({ name, attribs }: Element): boolean {
  return (
    (name === 'aside' || attribs['role'] === 'complementary') &&
    !OUTSIDE_NAMES.test(splitNames(`${attribs['class'] ?? ''} ${attribs['id'] ?? ''}`))
  );
}

/** The class and the id of an element. */
export function namesOf(element: Element | undefined): string {
  return `${element?.attribs['class'] ?? ''} ${element?.attribs['id'] ?? ''}`;
}

/** Class and id names as words: `AddToCart` and `add_to_cart` are `add-to-cart`. */
export function splitNames(names: string): string {
  return names
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('__', '-')
    .toLowerCase();
}
