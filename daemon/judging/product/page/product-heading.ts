import { foldText } from '../../../waiting-room/parse/normalise-text';
import { namesProduct } from './moved-address';
import { findPrices } from '../words/price-text';
import { isSameWords, wordsOf } from '../words/product-names';
import { type Heading, type ProductReader, textOf } from './product-reader';

const TITLE_NAMES =
  /(?:product|item|page|pdp)[-_:]{0,2}(?:\w{1,12}[-_])?(?:title|name|heading)|(?:title|name)[-_](?:title|name|h1|heading)|producttitle|entry-title/i;

const MAX_HEADINGS = 500;
const MAX_LINES = 2000;

/** The heading that names the product of the page, or null. */
export function chooseHeading(
  reader: ProductReader,
  {
    names,
    homePaths,
    asked,
    inHard,
  }: {
    names: readonly string[];
    homePaths: ReadonlySet<string>;
    /** The address that was requested, if it led to another one. */
    asked: URL | null;
    inHard: Uint8Array;
  },
): Heading | null {
  const known = names.slice(0, 70).map((name) => ({ text: foldText(name), words: wordsOf(name) }));
  let best: Heading | null = null;
  let bestScore = 1;
  for (const heading of [
    ...reader.headings.slice(0, MAX_HEADINGS),
    ...reader.titles.slice(0, MAX_HEADINGS),
  ]) {
    if (heading.text.length < 2 || heading.text.length > 400 || !/[\p{L}\p{N}]/u.test(heading.text)) continue;
    const element = reader.elements[heading.node];
    const called = `${element?.attribs['class'] ?? ''} ${element?.attribs['id'] ?? ''} ${element?.attribs['itemprop'] ?? ''} ${element?.attribs['data-testid'] ?? ''} ${element?.attribs['data-test'] ?? ''}`;
    const folded = foldText(heading.text);
    const isNamed = known.some(({ text }) => text === folded);
    const words = wordsOf(heading.text);
    const isLike = isNamed || known.some((name) => isSameWords(name.words, words));
    if (heading.level > 1 && !isLike) continue;
    let score = heading.level === 1 ? 3 : heading.level < 7 ? 0 : -1;
    if (isNamed) score += 4;
    else if (isLike) score += 3;
    if (TITLE_NAMES.test(called)) score += 2;
    // A list may begin with the product that is gone.
    if (heading.level === 1 && asked !== null && namesProduct(asked, heading.text)) score += 4;
    if (inHard[heading.node] === 1) score -= 5;
    if (!heading.painted) score -= 2;
    if (isLinkedTo(reader, heading.node, homePaths)) score -= 6;
    if (isInHeader(reader, heading.node)) score -= 2;
    if (score > bestScore) [best, bestScore] = [heading, score];
  }
  return best ?? findNamedLine(reader, known, inHard);
}

/** The line above the first price that is the product's name, on a page that has no heading: old shops write it in bold type. */
function findNamedLine(
  reader: ProductReader,
  known: ReadonlyArray<{ text: string; words: ReadonlySet<string> }>,
  inHard: Uint8Array,
): Heading | null {
  const names = new Set(known.flatMap(({ text, words }) => (words.size > 1 ? text : [])));
  if (names.size === 0) return null;
  let found: Heading | null = null;
  for (const line of reader.lines.slice(0, MAX_LINES)) {
    const text = textOf(line);
    if (found !== null && findPrices(text.slice(0, 400), null).length > 0) break;
    if (text.length > 400 || line.isLink || inHard[line.node] === 1 || !names.has(foldText(text))) continue;
    found = { level: 7, node: line.node, text, painted: true };
  }
  return found;
}

function isLinkedTo(reader: ProductReader, node: number, paths: ReadonlySet<string>): boolean {
  const inside = reader.elements
    .slice(node, (reader.ends[node] ?? node) + 1)
    .some((element) => element.name === 'a' && paths.has(element.attribs['href'] ?? '-'));
  if (inside) return true;
  for (let at = node, up = 0; at >= 0 && up < 4; at = reader.parents[at] ?? -1, up += 1)
    if (reader.elements[at]?.name === 'a') return paths.has(reader.elements[at]?.attribs['href'] ?? '-');
  return false;
}

function isInHeader(reader: ProductReader, node: number): boolean {
  for (let at = node; at >= 0; at = reader.parents[at] ?? -1) {
    const name = reader.elements[at]?.name;
    if (name === 'main' || name === 'article') return false;
    if (name === 'header') return true;
  }
  return false;
}
