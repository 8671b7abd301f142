/**
 * What an article may be made of, as plain data: the form between HTML and the editor's nodes. Reading cleans into it,
 * writing is exact, and both can be tried without a browser.
 */

/** In the order in which they are written when nothing else decides. */
export const MARKS = ['strong', 'em', 'u', 's', 'code'] as const;
export type Mark = (typeof MARKS)[number];

/** Left is the way text stands anyway and is not written. */
export type Align = 'left' | 'center' | 'right' | 'justify';

export const MAX_INDENT = 8;

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

export type TextTag = 'p' | 'h1' | 'h2' | 'h3' | 'blockquote';

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

/** Lists of one kind that follow each other are one list; empty paragraphs at both ends say nothing. */
export function tidyBlocks(blocks: readonly Block[]): Block[] {
  const tidy: Block[] = [];
  for (const block of blocks) {
    const last = tidy.at(-1);
    if (block.kind === 'list' && last?.kind === 'list' && last.ordered === block.ordered) {
      tidy[tidy.length - 1] = { ...last, items: [...last.items, ...block.items] };
    } else tidy.push(block);
  }
  const first = tidy.findIndex((block) => !isEmptyParagraph(block));
  return first === -1 ? [] : tidy.slice(first, tidy.findLastIndex((block) => !isEmptyParagraph(block)) + 1);
}

export function isEmptyParagraph(block: Block): boolean {
  return block.kind === 'text' && block.runs.length === 0;
}

/** The words alone, blocks and lines parted by line feeds. */
export function documentText(blocks: readonly Block[]): string {
  return blocks.map(blockText).join('\n');
}

function blockText(block: Block): string {
  if (block.kind === 'code') return block.text;
  if (block.kind === 'text') return runsText(block.runs);
  if (block.kind === 'quote') return documentText(block.blocks);
  return block.items
    .map(({ runs, nested }) => [runsText(runs), ...nested.map(blockText)].join('\n'))
    .join('\n');
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
