import { MAX_INDENT, type Align, type Mark, type TextTag } from './article-format';

/** An article as plain data between HTML and the editor: `readDocument` reads, `writeDocument` writes HTML, in any runtime. */

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

/** An uploaded image. Width and height are pixels, or both null. */
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

/** A quote of several blocks; a quote of one paragraph is a text block. */
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

/** Collapses white space as browsers do, trims the lines, and merges adjacent runs of one format. */
export function normaliseRuns(runs: readonly Run[]): Run[] {
  const tidy: Run[] = [];
  // White space is dropped at the start of a line and after a space.
  let dropSpace = true;
  for (const run of runs) {
    if (run.kind !== 'text') {
      if (run.kind === 'break') trimEnd(tidy);
      tidy.push(run);
      dropSpace = run.kind === 'break';
      continue;
    }
    let text = run.text.replace(/[ \t\n\r\f]+/g, ' ');
    if (dropSpace) text = text.replace(/^ /, '');
    if (text === '') continue;
    dropSpace = text.endsWith(' ');
    const last = tidy.at(-1);
    if (last?.kind === 'text' && last.href === run.href && sameMarks(last.marks, run.marks)) {
      tidy[tidy.length - 1] = { ...last, text: last.text + text };
    } else tidy.push({ ...run, text });
  }
  // A break at the end is invisible.
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

/** Levels of nested lists, including the outermost. */
const MAX_LIST_DEPTH = MAX_INDENT + 1;

/**
 * Normalises blocks to the form in which articles are stored. Merges adjacent lists of one kind, flattens lists that are
 * nested deeper than the toolbar allows and quotes in quotes, makes a quote of one paragraph a text block, resets the
 * format of empty blocks, and removes empty code and empty paragraphs at both ends.
 */
export function normaliseBlocks(blocks: readonly Block[]): Block[] {
  const tidy = mergeLists(blocks.flatMap(normaliseBlock));
  const first = tidy.findIndex((block) => !isEmptyParagraph(block));
  return first === -1 ? [] : tidy.slice(first, tidy.findLastIndex((block) => !isEmptyParagraph(block)) + 1);
}

function normaliseBlock(block: Block): Block[] {
  switch (block.kind) {
    case 'text':
      return [block.runs.length > 0 ? block : { ...block, tag: 'p', align: 'left', indent: 0 }];
    case 'code':
      return block.text.trim() === '' ? [] : [{ kind: 'code', text: trimLineFeeds(block.text) }];
    case 'list':
      return normaliseList(block, 1);
    case 'quote':
      return normaliseQuote(block);
  }
}

function trimLineFeeds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}

function normaliseQuote({ blocks }: QuoteBlock): Block[] {
  const inner = normaliseBlocks(blocks).flatMap((block): Block[] => {
    if (block.kind === 'quote') return block.blocks;
    return [block.kind === 'text' && block.tag === 'blockquote' ? { ...block, tag: 'p' } : block];
  });
  // Lists of nested quotes may be adjacent now.
  const quoted = mergeLists(inner);
  const [only] = quoted;
  if (only === undefined) return [];
  const isParagraph = quoted.length === 1 && only.kind === 'text' && only.tag === 'p';
  return [isParagraph ? { ...only, tag: 'blockquote' } : { kind: 'quote', blocks: quoted }];
}

function normaliseList({ ordered, items }: ListBlock, depth: number): ListBlock[] {
  if (items.length === 0) return [];
  return [{ kind: 'list', ordered, items: items.flatMap((item) => normaliseItem(item, depth)) }];
}

function normaliseItem({ runs, align, nested }: ListItem, depth: number): ListItem[] {
  const item: ListItem = { runs, align: runs.length === 0 ? 'left' : align, nested: [] };
  if (depth < MAX_LIST_DEPTH) {
    item.nested = mergeLists(nested.flatMap((list) => normaliseList(list, depth + 1)));
    return [item];
  }
  const deeper = nested.flatMap((list) => list.items.flatMap((inner) => normaliseItem(inner, depth)));
  return runs.length === 0 && deeper.length > 0 ? deeper : [item, ...deeper];
}

/** Merges adjacent lists of one kind. */
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

/** Whether a block is text without runs. */
export function isEmptyParagraph(block: Block): boolean {
  return block.kind === 'text' && block.runs.length === 0;
}

/** The text without marks; line feeds separate blocks and lines. */
export function documentText(blocks: readonly Block[]): string {
  return documentLines(blocks).join('\n');
}

/** The text of each block and each list item, in reading order; a break is a line feed. */
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

/** Whether there is neither text nor an image. */
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
