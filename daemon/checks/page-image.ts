import type { Document, ParentNode } from 'domhandler';
import { isTag } from 'domhandler';
import type { PageAnswer } from '#shared/monitor/checks/verdict';
import { webAddress } from '#shared/web-address';
import { isRecord, listOf, parseStrict, textIn } from '../judging/product/lenient-json';
import { parseHtml } from '../waiting-room/parse/parse-html';

/** In characters: the image stands in the head, or in structured data near it. */
const MAX_PAGE = 1024 * 1024;
const MAX_NODES = 2_000;

/** Open Graph (ogp.me) and Twitter's cards, the better one first. */
const META_NAMES = ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image'];

/** What the head of a page says about images: its structured data as texts, and values of `META_NAMES` by name. */
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

/** The address in the `image` of the first Product of some linked data: a text, or an ImageObject. */
function imageOfProduct(data: unknown): string | null {
  const open = [data];
  for (let seen = 0; open.length > 0 && seen < MAX_NODES; seen += 1) {
    const value = open.shift();
    if (Array.isArray(value)) open.push(...value.slice(0, MAX_NODES));
    if (!isRecord(value)) continue;
    if (listOf(value['@type']).some((type) => type === 'Product' || type === 'ProductGroup')) {
      const [image] = listOf(value['image']);
      const address = isRecord(image) ? textIn(image['contentUrl'] ?? image['url']) : textIn(image);
      if (address !== null) return address;
    }
    open.push(value['@graph'], value['mainEntity'], value['itemListElement'], value['hasVariant']);
  }
  return null;
}

/**
 * Finds the address of the image that a page shows of its product, in structured data (schema.org, Product, image), else Open
 * Graph, in its first million characters. Null: none. Takes time linear in the page's length.
 */
export function findPageImage({ body, finalUrl }: Pick<PageAnswer, 'body' | 'finalUrl'>): string | null {
  const { linked, meta } = readHead(parseHtml(body.slice(0, MAX_PAGE)).document);
  const found = [
    ...linked.map((text) => imageOfProduct(parseStrict(text))),
    ...META_NAMES.map((name) => meta.get(name) ?? null),
  ];
  for (const text of found) {
    const url = text === null ? null : URL.parse(text.trim(), finalUrl);
    const address = url === null ? null : webAddress(url.href);
    if (address !== null) return address;
  }
  return null;
}
