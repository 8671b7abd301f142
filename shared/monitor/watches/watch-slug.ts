import { normaliseUnicode } from '../../text';

/** Longer slugs are cut; a number that makes one unique comes on top. */
const MAX_LENGTH = 50;
/** Paths below /dashboard/monitor that are no watch, or may become one. */
const RESERVED: readonly string[] = ['new', 'add', 'list', 'all', 'checks', 'history', 'watch', 'watches'];

function simplify(text: string): string {
  return normaliseUnicode(text, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-|-$/g, '');
}

/**
 * The slug of a new watch: its title in lower-case ASCII letters, digits and hyphens (else its shop's name, else
 * "shop"), with a number when that is taken or reserved.
 */
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
