import type { Transaction } from '../../database/schema';
import { normaliseUnicode } from '../../text';

/** Longer slugs are cut; a number that makes one unique comes on top. */
const MAX_LENGTH = 50;
/** Paths beside those of a watch or a product, on the site and in the API, that are none, or may become one. */
const RESERVED: readonly string[] = [
  'new',
  'add',
  'list',
  'all',
  'cases',
  'checks',
  'feed',
  'following',
  'history',
  'preview',
  'products',
  'releases',
  'retailers',
  'suggestions',
  'watch',
  'watches',
];

function simplify(text: string): string {
  return normaliseUnicode(text, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-|-$/g, '');
}

/** The slug of a new record: its title in ASCII (else its shop's name, else "shop"), with a number when taken or reserved. */
export function slugFor(
  { title, shop }: { title: string; shop: string },
  isTaken: (slug: string) => boolean,
): string {
  const base = [simplify(title), simplify(shop)].find((text) => text !== '') ?? 'shop';
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`;
    if (!RESERVED.includes(slug) && !isTaken(slug)) return slug;
  }
}

/** The slug of a new watch or product: they share the addresses below /restock/. Call it in the transaction that adds it. */
export async function freeSlug(trx: Transaction, names: { title: string; shop: string }): Promise<string> {
  const watches = await trx.selectFrom('watches').select('slug').execute();
  const products = await trx.selectFrom('products').select('slug').execute();
  const taken = new Set([...watches, ...products].map(({ slug }) => slug));
  return slugFor(names, (slug) => taken.has(slug));
}
