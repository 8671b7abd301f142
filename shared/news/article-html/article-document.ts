import { MAX_INDENT, type Align, type Mark, type TextTag } from './article-format';

/**
 * What an article may be made of, as plain data: the form between HTML and the editor's nodes. Reading cleans into it,
 * writing is exact, and both can be tried without a browser.
 */

export interface TextRun {
  kind: 'text';
  text: string;
  /** In the order of `MARKS`. */
  marks: Mark[];
  href: string | null;
}

export interface BreakRun {
  kind: 'break';
}

/** A picture of ours. Pixels; null together. */
export interface ImageRun {
  kind: 'image';
  src: string;
  alt: string;
  width: number | null;
  height: number | null;
  href: string | null;
}

export type Run = TextRun | BreakRun | ImageRun;

export interface TextBlock {
  kind: 'text';
  tag: TextTag;
  align: Align;
  /** 0 to `MAX_INDENT`. */
  indent: number;
  runs: Run[];
}

/** A quotation of several blocks; one of a single paragraph is a text block. */
export interface QuoteBlock {
  kind: 'quote';
  blocks: Block[];
}

export interface CodeBlock {
  kind: 'code';
  text: string;
}

export interface ListItem {
  runs: Run[];
  align: Align;
  nested: ListBlock[];
}

export interface ListBlock {
  kind: 'list';
  ordered: boolean;
  items: ListItem[];
}

export type Block = TextBlock | QuoteBlock | CodeBlock | ListBlock;

const sameMarks = (one: Mark[], other: Mark[]) => one.join() === other.join();

/** Text in the order it is read, as browsers show it: white space is one space, and none stands at a line's edge. */
export function tidyRuns(runs: readonly Run[]): Run[] {
  const tidy: Run[] = [];
  // A line's beginning swallows spaces, as a space before it does.
  let swallow = true;
  for (const run of runs) {
    if (run.kind !== 'text') {
      if (run.kind === 'break') trimEnd(tidy);
      tidy.push(run);
      swallow = run.kind === 'break';
      continue;
    }
    let text = run.text.replace(/[ \t\n\r\f]+/g, ' ');
    if (swallow) text = text.replace(/^ /, '');
    if (text === '') continue;
    swallow = text.endsWith(' ');
    const last = tidy.at(-1);
    if (last?.kind === 'text' && last.href === run.href && sameMarks(last.marks, run.marks)) {
      tidy[tidy.length - 1] = { ...last, text: last.text + text };
    } else tidy.push({ ...run, text });
  }
  // A break at the end shows nothing.
  do trimEnd(tidy);
  while (tidy.at(-1)?.kind === 'break' && tidy.pop());
  return tidy;
}

function trimEnd(runs: Run[]): void {
  const last = runs.at(-1);
  if (last?.kind !== 'text' || !last.text.endsWith(' ')) return;
  runs.pop();
  const text = last.text.slice(0, -1);
  if (text !== '') runs.push({ ...last, text });
}

/** Lists in lists, counted from the outermost, which stands at no indent. */
const DEEPEST_LIST = MAX_INDENT + 1;

/**
 * Blocks in the one form in which an article is kept. Lists of one kind that follow each other are one list; what is
 * nested deeper than the toolbar can nest comes up; a quotation of one paragraph is that paragraph, quoted; no quotation
 * holds another; what is empty has no look; empty paragraphs at both ends say nothing, nor does code without a letter.
 */
export function tidyBlocks(blocks: readonly Block[]): Block[] {
  const tidy = mergeLists(blocks.flatMap(tidyBlock));
  const first = tidy.findIndex((block) => !isEmptyParagraph(block));
  return first === -1 ? [] : tidy.slice(first, tidy.findLastIndex((block) => !isEmptyParagraph(block)) + 1);
}

function tidyBlock(block: Block): Block[] {
  switch (block.kind) {
    case 'text':
      return [block.runs.length > 0 ? block : { ...block, tag: 'p', align: 'left', indent: 0 }];
    case 'code':
      return block.text.trim() === '' ? [] : [{ kind: 'code', text: withoutLastFeeds(block.text) }];
    case 'list':
      return tidyList(block, 1);
    case 'quote':
      return tidyQuote(block);
  }
}

function withoutLastFeeds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}

function tidyQuote({ blocks }: QuoteBlock): Block[] {
  const inner = tidyBlocks(blocks).flatMap((block): Block[] => {
    if (block.kind === 'quote') return block.blocks;
    return [block.kind === 'text' && block.tag === 'blockquote' ? { ...block, tag: 'p' } : block];
  });
  // Lists that stood in quotations of their own meet now.
  const quoted = mergeLists(inner);
  const [only] = quoted;
  if (only === undefined) return [];
  const isParagraph = quoted.length === 1 && only.kind === 'text' && only.tag === 'p';
  return [isParagraph ? { ...only, tag: 'blockquote' } : { kind: 'quote', blocks: quoted }];
}

function tidyList({ ordered, items }: ListBlock, depth: number): ListBlock[] {
  if (items.length === 0) return [];
  return [{ kind: 'list', ordered, items: items.flatMap((item) => tidyItem(item, depth)) }];
}

function tidyItem({ runs, align, nested }: ListItem, depth: number): ListItem[] {
  const item: ListItem = { runs, align: runs.length === 0 ? 'left' : align, nested: [] };
  if (depth < DEEPEST_LIST) {
    item.nested = mergeLists(nested.flatMap((list) => tidyList(list, depth + 1)));
    return [item];
  }
  const deeper = nested.flatMap((list) => list.items.flatMap((inner) => tidyItem(inner, depth)));
  return runs.length === 0 && deeper.length > 0 ? deeper : [item, ...deeper];
}

/** Lists of one kind that follow each other are one. */
function mergeLists<Kind extends Block>(blocks: readonly Kind[]): Kind[] {
  const merged: Kind[] = [];
  let last: ListBlock | null = null;
  for (const block of blocks) {
    if (block.kind !== 'list') {
      last = null;
      merged.push(block);
    } else if (last?.ordered === block.ordered) for (const item of block.items) last.items.push(item);
    else {
      last = { ...block, items: [...block.items] };
      merged.push(last as Kind & ListBlock);
    }
  }
  return merged;
}

export function isEmptyParagraph(block: Block): boolean {
  return block.kind === 'text' && block.runs.length === 0;
}

/** The words alone, blocks and lines parted by line feeds. */
export function documentText(blocks: readonly Block[]): string {
  return documentLines(blocks).join('\n');
}

/** The words of each block and of each list item, in reading order; a line break inside one is a line feed. */
export function documentLines(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'code') return [block.text];
    if (block.kind === 'text') return [runsText(block.runs)];
    if (block.kind === 'quote') return documentLines(block.blocks);
    return block.items.flatMap(({ runs, nested }) => [runsText(runs), ...documentLines(nested)]);
  });
}

function runsText(runs: readonly Run[]): string {
  return runs.map((run) => (run.kind === 'text' ? run.text : run.kind === 'break' ? '\n' : ' ')).join('');
}

/** Whether there is nothing to publish: no word and no picture. */
export function isEmptyDocument(blocks: readonly Block[]): boolean {
  return blocks.every((block) =>
    block.kind === 'code'
      ? block.text.trim() === ''
      : block.kind === 'text'
        ? runsEmpty(block.runs)
        : block.kind === 'quote'
          ? isEmptyDocument(block.blocks)
          : block.items.every(({ runs, nested }) => runsEmpty(runs) && isEmptyDocument(nested)),
  );
}

function runsEmpty(runs: readonly Run[]): boolean {
  return runs.every((run) => run.kind === 'break' || (run.kind === 'text' && run.text.trim() === ''));
}
