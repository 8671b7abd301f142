import type { Document, ParentNode } from 'domhandler';
import { isTag } from 'domhandler';
import type { PageAnswer } from '#shared/monitor/checks/verdict';
import { webAddress } from '#shared/web-address';
import { isRecord, listOf, parseStrict, textIn } from '../judging/product/structured/lenient-json';
import { parseHtml } from '../waiting-room/parse/parse-html';

/** In characters: the image stands in the head, or in structured data near it. */
const MAX_PAGE = 1024 * 1024;
const MAX_NODES = 2_000;

/** Open Graph (ogp.me) and Twitter's cards, the better one first. */
const IMAGE_NAMES = ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image'];
const BRAND_NAMES = ['product:brand', 'og:brand'];
const META_NAMES = [...IMAGE_NAMES, ...BRAND_NAMES];
/** The longest brand that a product may have. */
const MAX_BRAND = 80;

/** The head of a page: its structured data as texts, and values of `META_NAMES` by name. */
function readHead(document: Document): { linked: string[]; meta: Map<string, string> } {
  const linked: string[] = [];
  const meta = new Map<string, string>();
  const open: ParentNode[] = [document];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop())
    for (const element of parent.children) {
      if (!isTag(element)) continue;
      const { property, name, content, type } = element.attribs;
      const key = property ?? name ?? '';
      if (element.name === 'meta' && META_NAMES.includes(key) && content && !meta.has(key))
        meta.set(key, content);
      const [text] = element.children;
      if (element.name !== 'script') open.push(element);
      else if (type?.trim().toLowerCase() === 'application/ld+json' && text?.type === 'text')
        linked.push((text as unknown as { data: string }).data);
    }
  return { linked, meta };
}

/** The first Product of some linked data that has a property. */
function findProduct(data: unknown, property: string): Record<string, unknown> | null {
  const open = [data];
  for (let seen = 0; open.length > 0 && seen < MAX_NODES; seen += 1) {
    const value = open.shift();
    if (Array.isArray(value)) open.push(...value.slice(0, MAX_NODES));
    if (!isRecord(value)) continue;
    const isProduct = listOf(value['@type']).some((type) => type === 'Product' || type === 'ProductGroup');
    if (isProduct && property in value) return value;
    open.push(value['@graph'], value['mainEntity'], value['itemListElement'], value['hasVariant']);
  }
  return null;
}

/** The `image` of a product, an address or an ImageObject. */
function imageIn(product: Record<string, unknown> | null): string | null {
  const [image] = listOf(product?.['image']);
  return isRecord(image) ? textIn(image['contentUrl'] ?? image['url']) : textIn(image);
}

/** The `brand` of a product, a text or a Brand. */
function brandIn(product: Record<string, unknown> | null): string | null {
  const [brand] = listOf(product?.['brand']);
  return textIn(isRecord(brand) ? brand['name'] : brand);
}

/** The facts about a page's product that are not judged. */
export interface PageFacts {
  /** The address of its image; null: none was found. */
  imageUrl: string | null;
  brand: string | null;
}

/**
 * Finds the image and the brand of a page's product, in structured data (schema.org, Product), else Open Graph, in the page's
 * first million characters. Takes time linear in the page's length.
 */
export function findPageFacts({ body, finalUrl }: Pick<PageAnswer, 'body' | 'finalUrl'>): PageFacts {
  const { linked, meta } = readHead(parseHtml(body.slice(0, MAX_PAGE)).document);
  const data = linked.map((text) => parseStrict(text));
  const inMeta = (names: readonly string[]): string[] => names.flatMap((name) => meta.get(name) ?? []);
  const brands = [...data.map((one) => brandIn(findProduct(one, 'brand'))), ...inMeta(BRAND_NAMES)];
  const brand = brands.find((one) => one !== null && one.trim() !== '' && one.trim().length <= MAX_BRAND);
  const images = [...data.map((one) => imageIn(findProduct(one, 'image'))), ...inMeta(IMAGE_NAMES)];
  for (const text of images) {
    const url = text === null ? null : URL.parse(text.trim(), finalUrl);
    const imageUrl = url === null ? null : webAddress(url.href);
    if (imageUrl !== null) return { imageUrl, brand: brand?.trim() ?? null };
  }
  return { imageUrl: null, brand: brand?.trim() ?? null };
}
