import { foldText } from '../../../waiting-room/parse/normalise-text';
import { wordsOf } from '../words/product-names';

/** Words in an address that distinguish editions of a product. */
const EDITION =
  /(?<![a-z\d])(?:(first|second|third|fourth|fifth|sixth)|(\d{1,2})(?:st|nd|rd|th)|(20\d\d)|(?:vol|volume|series|wave|set|part|edition|gen|season)[-_]?(\d{1,3}))(?![a-z\d])/gi;
const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

const editionsOf = ({ pathname }: URL): Set<number> =>
  new Set(
    [...pathname.matchAll(EDITION)].map(([, word, ...numbers]) =>
      word === undefined ? Number(numbers.find(Boolean)) : ORDINALS.indexOf(word.toLowerCase()),
    ),
  );

/** Whether two addresses name different editions. A word that only one of them has does not count. */
function areEditions(from: URL, to: URL): boolean {
  const [one, other] = [editionsOf(from), editionsOf(to)];
  return [...one].some((edition) => !other.has(edition)) && [...other].some((edition) => !one.has(edition));
}

/** Whether a text has half of the words of an address, or as many as `wanted`. An address of fewer than two words names nothing. */
export function sharesWords({ pathname }: URL, text: string, wanted = Infinity): boolean {
  const words = namesIn(slugOf(pathname));
  const named = foldText(text);
  const shared = words.filter((word) => named.includes(word)).length;
  return words.length < 2 || shared >= Math.min(wanted, words.length / 2);
}

/** Whether an address has words, and a name has at least two and half of them. */
export function namesProduct(address: URL, name: string): boolean {
  return (
    namesIn(slugOf(address.pathname)).length >= 2 && sharesWords(address, name) && wordsOf(name).size >= 2
  );
}

/** The last part of a path that is made of words. */
function slugOf(pathname: string): string {
  const slug = pathname.split('/').findLast((part) => part.includes('-') && /[a-z]{3}/i.test(part)) ?? '';
  return slug.replace(/\.\w+$/, '');
}

/** The words of a name that are not numbers or shorter than three letters. */
function namesIn(name: string): string[] {
  return [...wordsOf(name)].filter((word) => /^\p{L}{3,}$/u.test(word));
}

/** Words by which shops rename one product. */
const ANY_PRODUCT: ReadonlySet<string> = new Set(
  'sealed english eng original genuine authentic europe great britain shop store tcg ccg card cards game games trading collectible product products item items sale clearance offer deal stock instock restock restocked release released copy html version factory brand presale preorders limited now available coming soon free postage delivery seller january february march april may june july august september october november december spring summer autumn winter'.split(
    ' ',
  ),
);

/**
 * Why an address redirects to another product than the one that it, or the watch, names: each name has words that the
 * other lacks ("Moonlit Rivals Trainer Box", "Gilded Hollow Trainer Box"). Null: it may be the same.
 */
export function otherProduct({
  from,
  to,
  title,
  expected,
}: {
  from: URL;
  to: URL;
  title: string;
  /** The name that the watch knows. */
  expected: string | null;
}): string | null {
  if (areEditions(from, to)) return `The address leads to another edition: ${title}.`;
  if (isTranslated(from, to) || haveSameId(from, to)) return null;
  const [one, other] = [slugOf(from.pathname), slugOf(to.pathname)];
  const isOther =
    expected !== null
      ? areOthers(expected, title)
      : namesIn(one).length >= 2 && (other === '' ? areOthers(one, title) : areOthers(one, other, title));
  return isOther ? `The address leads to another product: ${title}.` : null;
}

/** Whether each of two names has a word that the other lacks. `more`: additional words of the second. */
function areOthers(one: string, other: string, more = ''): boolean {
  // The trade calls a box of boosters a display.
  const read = (name: string): string[] => namesIn(name).map((word) => (word === 'display' ? 'box' : word));
  const [names, others, known] = [read(one), read(other), read(more)];
  const short = [...spelledOut(names, [...others, ...known]), ...spelledOut(others, names)];
  const lacks = (word: string, words: readonly string[]): boolean =>
    !ANY_PRODUCT.has(word) && !short.includes(word) && !isNamed(word, words);
  return (
    names.some((word) => lacks(word, [...others, ...known])) && others.some((word) => lacks(word, names))
  );
}

/** The words of one name that are letters for words of another, and those words: "etb" for "elite trainer box". */
function spelledOut(names: readonly string[], words: readonly string[]): string[] {
  const initials = words.map(([first = '']) => first).join('');
  return names.flatMap((name) => {
    const at = name.length <= 5 ? initials.indexOf(name) : -1;
    return at < 0 ? [] : [name, ...words.slice(at, at + name.length)];
  });
}

/** Whether words match a word, including compounds and misspellings: "play mat", "trianer". */
function isNamed(word: string, words: readonly string[]): boolean {
  const sorted = [...word].sort().join('');
  return (
    words.join('').includes(word) ||
    words.some(
      (known) =>
        known.length >= 4 &&
        known[0] === word[0] &&
        (word.startsWith(known) || [...known].sort().join('') === sorted || leavesOut(known, word)),
    )
  );
}

/** Whether two words differ only by one missing letter. */
function leavesOut(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length < 5 || long.length !== short.length + 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  return short.slice(at) === long.slice(at + 1);
}

/** Whether two addresses name different languages, in which one product has two names. */
function isTranslated(from: URL, to: URL): boolean {
  const languageOf = ({ hostname, pathname }: URL): string => {
    const [, first = '', second = ''] = pathname.toLowerCase().split('/', 3);
    const country = hostname.slice(hostname.lastIndexOf('.') + 1);
    return `${country.length === 2 ? country : ''} ${[first, second].find((part) => LANGUAGE.test(part)) ?? ''}`;
  };
  return languageOf(from) !== languageOf(to);
}

const LANGUAGE = /^[a-z]{2}(?:[-_][a-z]{2})?$/;

/** Whether two addresses have the same number of a product: "/p/8812290" and "/tin-8812290". */
function haveSameId(from: URL, to: URL): boolean {
  const idsOf = ({ pathname, search }: URL): string[] =>
    (`${pathname}${search}`.match(/(?<![a-z\d])\d{4,14}(?![a-z\d])/gi) ?? []).filter(
      (id) => !/^20\d\d$/.test(id),
    );
  const ids = new Set(idsOf(from));
  return idsOf(to).some((id) => ids.has(id));
}
