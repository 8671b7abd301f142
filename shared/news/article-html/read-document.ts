import {
  isEmptyParagraph,
  MARKS,
  MAX_INDENT,
  tidyBlocks,
  tidyRuns,
  type Align,
  type Block,
  type ListBlock,
  type ListItem,
  type Mark,
  type Run,
  type TextTag,
} from './article-document';
import { allowedHref, ownImagePath } from './article-links';
import type { MarkupElement, MarkupNode } from './markup';
import { nestWordItems, readWordItem, type WordItem } from './word-lists';

/** Elements whose content is no text of the article. */
const DROPPED = new Set(
  'script style head title meta link base object embed iframe frame applet svg math template noscript textarea select option button audio video canvas map area dialog xml'.split(
    ' ',
  ),
);

const TEXT_TAGS: Record<string, TextTag> = {
  p: 'p',
  h1: 'h1',
  h2: 'h2',
  h3: 'h3',
  h4: 'h3',
  h5: 'h3',
  h6: 'h3',
};

/** Elements that end a line but mean nothing more here. */
const CONTAINERS = new Set(
  'div section article main header footer aside nav address figure figcaption center form fieldset legend details summary dl dt dd table caption thead tbody tfoot tr hgroup body html'.split(
    ' ',
  ),
);

const MARK_TAGS: Record<string, Mark> = {
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
  cite: 'em',
  dfn: 'em',
  var: 'em',
  u: 'u',
  ins: 'u',
  s: 's',
  strike: 's',
  del: 's',
  code: 'code',
  kbd: 'code',
  samp: 'code',
  tt: 'code',
};

export interface ReadOptions {
  /**
   * `ours`: written here, by the editor or by hand. `foreign`: from a clipboard, where looks are set by styles, and
   * empty paragraphs and hard spaces are spacing.
   */
  from: 'ours' | 'foreign';
  /** Where this site lives, so that its pictures are known as its own; null: only paths are. */
  siteOrigin: string | null;
}

export interface ReadDocument {
  blocks: Block[];
  /** How many pictures were left out because they are not on this site. */
  foreignImages: number;
}

/** What holds for a piece of text because of what stands around it. */
interface Surroundings {
  marks: Mark[];
  href: string | null;
  tag: TextTag;
  align: Align;
  indent: number;
}

const PLAIN: Surroundings = { marks: [], href: null, tag: 'p', align: 'left', indent: 0 };

/** Reads HTML, whoever wrote it, as an article: what articles cannot hold is left out, its text is kept. */
export function readDocument(markup: readonly MarkupNode[], options: ReadOptions): ReadDocument {
  const reader = new Reader(options);
  const blocks = reader.readBlocks(markup, PLAIN);
  return { blocks: tidyBlocks(blocks), foreignImages: reader.foreignImages };
}

class Reader {
  foreignImages = 0;
  private readonly foreign: boolean;

  constructor(private readonly options: ReadOptions) {
    this.foreign = options.from === 'foreign';
  }

  readBlocks(nodes: readonly MarkupNode[], around: Surroundings): Block[] {
    return nestWordItems(this.collect(nodes, around));
  }

  /** Items of word processors are still loose: what they belong to may stand in another box. */
  private collect(nodes: readonly MarkupNode[], around: Surroundings): (Block | WordItem)[] {
    const found: (Block | WordItem)[] = [];
    let runs: Run[] = [];

    const endLine = () => {
      const tidy = tidyRuns(runs);
      runs = [];
      if (tidy.length === 0) return;
      found.push({ kind: 'text', tag: around.tag, align: around.align, indent: around.indent, runs: tidy });
    };

    const visit = (node: MarkupNode, inside: Surroundings): void => {
      if (typeof node === 'string') {
        runs.push({ kind: 'text', text: this.text(node), marks: inside.marks, href: inside.href });
        return;
      }
      const { tag, children } = node;
      if (DROPPED.has(tag) || isHidden(node)) return;
      const textTag = TEXT_TAGS[tag];
      if (textTag !== undefined || CONTAINERS.has(tag)) {
        endLine();
        const item = this.foreign && textTag !== undefined ? readWordItem(node) : null;
        const block = this.surround(node, { ...inside, tag: textTag ?? inside.tag });
        if (item !== null) {
          found.push({ ...item, runs: this.readLine(children, { ...block, tag: 'p' }) });
          return;
        }
        const inner = this.collect(children, block);
        // A paragraph that somebody left empty on purpose; in a clipboard it is spacing.
        if (inner.length === 0 && tag !== 'tr' && !this.foreign && isBlankLine(node)) {
          inner.push({ kind: 'text', tag: 'p', align: 'left', indent: 0, runs: [] });
        }
        found.push(...inner);
      } else if (tag === 'blockquote') {
        endLine();
        found.push(...this.readQuote(node, inside));
      } else if (tag === 'pre') {
        endLine();
        const text = plainText(node).replaceAll('\r\n', '\n').replace(/\n$/, '');
        if (text.trim() !== '') found.push({ kind: 'code', text });
      } else if (tag === 'ul' || tag === 'ol') {
        endLine();
        found.push(...this.readList(node, inside));
      } else if (tag === 'hr') {
        endLine();
      } else if (tag === 'li') {
        // An item that lost its list.
        endLine();
        found.push({ kind: 'list', ordered: false, items: this.readItem(node, inside) });
      } else if (tag === 'br') {
        if (!(node.attributes.class ?? '').includes('Apple-interchange-newline'))
          runs.push({ kind: 'break' });
      } else if (tag === 'img') {
        const image = this.readImage(node, inside.href);
        if (image !== null) runs.push(image);
      } else {
        const within = this.surround(node, inside);
        for (const child of children) visit(child, within);
        if (tag === 'td' || tag === 'th') visit(' ', inside);
      }
    };

    for (const node of nodes) visit(node, around);
    endLine();
    return found;
  }

  /** Blocks read as one line each, parted by breaks: what stands in an item of a list. */
  private readLine(nodes: readonly MarkupNode[], around: Surroundings): Run[] {
    return tidyRuns(linesOf(this.readBlocks(nodes, { ...around, align: 'left', indent: 0 })));
  }

  private readQuote(node: MarkupElement, around: Surroundings): Block[] {
    const inside = this.surround(node, { ...around, tag: 'p' });
    const blocks = tidyBlocks(this.readBlocks(node.children, inside)).flatMap((block) =>
      block.kind === 'quote' ? block.blocks : [block],
    );
    const [only] = blocks;
    if (only === undefined) return [];
    if (blocks.length > 1 || only.kind !== 'text' || only.tag !== 'p') return [{ kind: 'quote', blocks }];
    return [{ ...only, tag: 'blockquote' }];
  }

  private readList(node: MarkupElement, around: Surroundings): (Block | WordItem)[] {
    const list: ListBlock = { kind: 'list', ordered: node.tag === 'ol', items: [] };
    const wordItems: WordItem[] = [];
    const inside: Surroundings = { ...around, tag: 'p', align: 'left', indent: 0 };
    for (const child of node.children) {
      if (typeof child === 'string') {
        if (child.trim() !== '') list.items.push(itemOf(this.readLine([child], inside)));
      } else if (child.tag === 'ul' || child.tag === 'ol') {
        // A list right in a list belongs to the item before it.
        const nested = this.readList(child, inside).filter(
          (block): block is ListBlock => block.kind === 'list',
        );
        const last = list.items.at(-1);
        if (last === undefined) list.items.push({ ...itemOf([]), nested });
        else last.nested = mergeNested([...last.nested, ...nested]);
      } else if (!DROPPED.has(child.tag)) {
        const level = this.foreign ? Number(child.attributes['data-aria-level']) : NaN;
        // Word for the web writes every item as a list of its own and its depth beside it.
        if (level >= 1) {
          const runs = this.readLine(child.children, this.surround(child, inside));
          wordItems.push({ kind: 'word-item', level, ordered: list.ordered, runs });
        } else list.items.push(...this.readItem(child, inside));
      }
    }
    if (wordItems.length > 0) return wordItems;
    return list.items.length === 0 ? [] : [list];
  }

  /** One item, or several when text follows a list inside it. */
  private readItem(node: MarkupElement, around: Surroundings): ListItem[] {
    const inside = this.surround(node, { ...around, align: 'left' });
    const items: ListItem[] = [];
    let lines: Block[] = [];
    let nested: ListBlock[] = [];
    const endItem = () => {
      items.push({ runs: tidyRuns(linesOf(lines)), align: inside.align, nested: mergeNested(nested) });
      lines = [];
      nested = [];
    };
    for (const block of this.readBlocks(node.children, { ...inside, tag: 'p' })) {
      if (block.kind === 'list') nested.push(block);
      else {
        if (nested.length > 0) endItem();
        lines.push(block);
      }
    }
    endItem();
    return items;
  }

  private readImage({ attributes }: MarkupElement, href: string | null): Run | null {
    const src = attributes.src ?? '';
    const path = ownImagePath(src, this.options.siteOrigin);
    const [width, height] = [pixels(attributes.width), pixels(attributes.height)];
    if (path === null) {
      const tracking = (width !== null && width <= 2) || (height !== null && height <= 2);
      if (src !== '' && !tracking) this.foreignImages += 1;
      return null;
    }
    const known = width !== null && height !== null;
    return {
      kind: 'image',
      src: path,
      alt: (attributes.alt ?? '').trim(),
      width: known ? width : null,
      height: known ? height : null,
      href,
    };
  }

  private text(text: string): string {
    return this.foreign ? text.replaceAll('\u00a0', ' ').replace(/[\u200b\ufeff\u00ad]/g, '') : text;
  }

  /** What an element adds to what holds around it. */
  private surround(node: MarkupElement, around: Surroundings): Surroundings {
    const style = readStyle(node.attributes.style);
    const marks = new Set(around.marks);
    let { href, align, indent } = around;

    const mark = MARK_TAGS[node.tag];
    if (mark !== undefined) marks.add(mark);
    if (node.tag === 'a') {
      href = allowedHref(node.attributes.href ?? '') ?? href;
    }
    const { 'font-weight': weight = '', 'font-style': slant = '' } = style;
    if (/^(normal|bold|lighter|\d)/.test(weight)) setMark(marks, 'strong', isBold(weight));
    if (/^(normal|italic|oblique)/.test(slant)) setMark(marks, 'em', slant !== 'normal');
    const decoration = `${style['text-decoration'] ?? ''} ${style['text-decoration-line'] ?? ''}`;
    if (/underline/.test(decoration)) marks.add('u');
    if (/line-through/.test(decoration)) marks.add('s');
    if (this.foreign) {
      // What browsers and word processors draw anyway.
      if (href !== null) marks.delete('u');
      if (/^h[1-3]$/.test(around.tag) || /^h\d$/.test(node.tag)) marks.delete('strong');
    }

    const named = (node.attributes.class ?? '').split(/\s+/);
    const aligned =
      (this.foreign
        ? undefined
        : named.find((name) => /^align-(center|right|justify)$/.test(name))?.slice(6)) ??
      style['text-align'] ??
      node.attributes.align ??
      (node.tag === 'center' ? 'center' : undefined);
    if (aligned !== undefined) align = alignOf(aligned, this.foreign);
    const indented = this.foreign ? undefined : named.find((name) => /^indent-\d$/.test(name));
    if (indented !== undefined) indent = Math.min(Number(indented.slice(7)), MAX_INDENT);

    return { ...around, marks: MARKS.filter((name) => marks.has(name)), href, align, indent };
  }
}

function setMark(marks: Set<Mark>, mark: Mark, on: boolean): void {
  if (on) marks.add(mark);
  else marks.delete(mark);
}

const isBold = (weight: string) => weight.startsWith('bold') || parseInt(weight, 10) >= 600;

function alignOf(value: string, foreign: boolean): Align {
  const name = value.trim().toLowerCase();
  if (name === 'center' || name === 'right') return name;
  // Word justifies whole documents.
  return name === 'justify' && !foreign ? 'justify' : 'left';
}

/** A style attribute's declarations. Good enough for values that hold no semicolon. */
function readStyle(style: string | undefined): Record<string, string> {
  const declarations: Record<string, string> = {};
  for (const declaration of (style ?? '').split(';')) {
    const colon = declaration.indexOf(':');
    if (colon === -1) continue;
    declarations[declaration.slice(0, colon).trim().toLowerCase()] = declaration
      .slice(colon + 1)
      .trim()
      .toLowerCase();
  }
  return declarations;
}

/** Not shown where it comes from: a marker that Word draws in front of an item, a preheader, a screen reader's label. */
function isHidden({ attributes }: MarkupElement): boolean {
  const style = readStyle(attributes.style);
  return (
    style['mso-list'] === 'ignore' ||
    style['mso-hide'] === 'all' ||
    style.display === 'none' ||
    attributes.hidden !== undefined
  );
}

/** An empty block, or one that holds nothing but a break. */
function isBlankLine({ tag, children }: MarkupElement): boolean {
  if (TEXT_TAGS[tag] === undefined && tag !== 'div') return false;
  return children.every((child) => (typeof child === 'string' ? child.trim() === '' : child.tag === 'br'));
}

function plainText(node: MarkupNode): string {
  if (typeof node === 'string') return node;
  if (node.tag === 'br') return '\n';
  if (DROPPED.has(node.tag)) return '';
  const text = node.children.map(plainText).join('');
  return CONTAINERS.has(node.tag) || TEXT_TAGS[node.tag] !== undefined ? `${text}\n` : text;
}

function linesOf(blocks: readonly Block[]): Run[] {
  const lines = blocks
    .filter((block) => !isEmptyParagraph(block))
    .flatMap((block): Run[][] => {
      if (block.kind === 'text') return [block.runs];
      if (block.kind === 'quote') return [linesOf(block.blocks)];
      if (block.kind === 'code') {
        return block.text.split('\n').map((text) => [{ kind: 'text', text, marks: ['code'], href: null }]);
      }
      return block.items.map(({ runs, nested }) => [...runs, ...linesOf(nested)]);
    });
  return lines.flatMap((line, index): Run[] => (index === 0 ? line : [{ kind: 'break' }, ...line]));
}

function itemOf(runs: Run[]): ListItem {
  return { runs, align: 'left', nested: [] };
}

function mergeNested(lists: ListBlock[]): ListBlock[] {
  return tidyBlocks(lists).filter((block): block is ListBlock => block.kind === 'list');
}

/** A positive whole number of pixels, or null. */
function pixels(value: string | undefined): number | null {
  const number = /^\d{1,5}$/.test(value ?? '') ? Number(value) : 0;
  return number > 0 ? number : null;
}
