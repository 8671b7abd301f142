import { foldText } from '../../../waiting-room/parse/normalise-text';

const FILLER: ReadonlySet<string> = new Set(
  'the a an and of for with in from by new buy online uk pre order preorder official'.split(' '),
);

/** The words of a name, folded, without filler. */
export function wordsOf(name: string): Set<string> {
  const words = foldText(name.slice(0, 300)).split(/[^\p{L}\p{N}]+/u);
  return new Set(words.filter((word) => word !== '' && !FILLER.has(word)));
}

/** The number of words of the smaller set that the larger has as well. */
function sharedOf(
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
): { shared: number; small: number; large: number } {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const word of small) if (large.has(word)) shared += 1;
  return { shared, small: small.size, large: large.size };
}

/** The share of the shorter name's words that the other has as well, from 0 to 1. */
export function likeness(one: string, other: string): number {
  const { shared, small } = sharedOf(wordsOf(one), wordsOf(other));
  return small === 0 ? 0 : shared / small;
}

/** Whether two names, as words, are of one product: "Booster Bundle" and "Booster Box" are two. */
export function isSameWords(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const { shared, small, large } = sharedOf(one, other);
  if (small === 0) return false;
  return shared === small ? small >= 2 || large <= 2 : shared / small >= 0.75 && small >= 5;
}

/** Whether two names are of one product. */
export function isSameProduct(one: string, other: string): boolean {
  return isSameWords(wordsOf(one), wordsOf(other));
}

/** The part of a page's title that names the product: before the shop's name. */
export function nameInTitle(title: string, site: string | null): string {
  const parts = title.split(/ (?:[|·•»–—:]|-{1,2}) | [|] ?/).map((part) => part.trim());
  const named = parts.filter((part) => part !== '' && (site === null || foldText(part) !== foldText(site)));
  return (named[0] ?? '').replace(/^buy /i, '').trim();
}

/** A page's title without its first and without its last part: "Card Cabin: Tin – Owl" may name "Tin – Owl". */
export function partsOfTitle(title: string): string[] {
  const ends = [...title.matchAll(/ (?:[|·•»–—:]|-{1,2}) |: | \| ?/g)];
  const [first, last] = [ends[0], ends.at(-1)];
  if (first === undefined || last === undefined || ends.length < 2) return [];
  return [title.slice(first.index + first[0].length), title.slice(0, last.index)].map((part) => part.trim());
}

/** The product in a heading, also in one such as "Sorry, the Mini Tin is currently out of stock". */
export function nameInHeading(heading: string | null): string | null {
  const named =
    /^(?:sorry[,:]? |unfortunately[,:]? )?(.{3,200}?) (?:is|are) (?:currently |now |temporarily |no longer )?(?:out of stock|sold out|unavailable|not available|available)\b/i.exec(
      heading ?? '',
    );
  if (named?.[1] === undefined) return heading;
  return /^(?:this|the) (?:item|product|page|title)$/i.test(named[1]) ? null : named[1];
}
