import {
  isEmptyParagraph,
  normaliseBlocks,
  normaliseRuns,
  type Block,
  type ListBlock,
  type ListItem,
  type Run,
} from './article-document';
import {
  BOXES,
  DROPPED,
  MARKS,
  readPixels,
  TEXT_TAG_OF,
  type Align,
  type Mark,
  type TextTag,
} from './article-format';
import { isAnnotation, isInsertion, isWordProcessed } from './annotations';
import { allowedHref, linkText, ownImagePath } from './article-links';
import type { MarkupElement, MarkupNode } from './markup';
import { changeMarks, isHidden, isPreformatted, readPlacement, type Origin } from './read-style';
import { nestWordItems, readWordItem, type WordItem } from './word-lists';

export interface ReadOptions {
  from: Origin;
  /** This site's origin, to recognise its images by absolute URLs; null: by paths only. */
  siteOrigin: string | null;
}

/** The format that a text inherits from the elements around it. */
interface Surroundings {
  marks: Mark[];
  href: string | null;
  tag: TextTag;
  align: Align;
  indent: number;
  /** Inside quotes and list items, which cannot contain quotes. */
  unquoted: boolean;
  /** Inside a block that is preformatted by its style and contains more than plain lines. */
  mixed: boolean;
}

const PLAIN: Surroundings = {
  marks: [],
  href: null,
  tag: 'p',
  align: 'left',
  indent: 0,
  unquoted: false,
  mixed: false,
};

/** Reads any HTML as an article: drops what articles cannot contain and keeps its text. */
export function readDocument(markup: readonly MarkupNode[], options: ReadOptions) {
  const wordProcessed = options.from === 'foreign' && isWordProcessed(markup);
  const reader = new Reader(options, wordProcessed);
  const blocks = reader.readBlocks(markup, PLAIN);
  return {
    blocks:
      normaliseBlocks(
        blocks,
      ) /** The number of images that were left out because they are not on this site. */,
    foreignImages: reader.foreignImages,
  };
}

class Reader {
  foreignImages = 0;
  private readonly foreign: boolean;

  /** Code blocks that are preformatted by their style: editors may write each line as a separate block. */
  private readonly styledCode = new WeakSet<object>();

  constructor(
    private readonly options: ReadOptions,
    private readonly wordProcessed: boolean,
  ) {
    this.foreign = options.from === 'foreign';
  }

  /** Whether an element is left out with its content. */
  private isDropped(node: MarkupElement): boolean {
    return (
      DROPPED.has(node.tag) ||
      isHidden(node) ||
      (this.foreign && isAnnotation(node, { wordProcessed: this.wordProcessed }))
    );
  }

  readBlocks(nodes: readonly MarkupNode[], around: Surroundings): Block[] {
    const found: (Block | WordItem)[] = [];
    this.collect(nodes, around, found);
    return nestWordItems(found);
  }

  /** List items of word processors are nested later: the items of one list may be in different boxes. */
  private collect(nodes: readonly MarkupNode[], around: Surroundings, found: (Block | WordItem)[]): void {
    let runs: Run[] = [];

    const endLine = () => {
      const tidy = normaliseRuns(runs);
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
      if (this.isDropped(node)) return;
      if (TEXT_TAG_OF.has(tag) || BOXES.has(tag)) {
        endLine();
        this.readBox(node, inside, found);
      } else if (tag === 'blockquote') {
        endLine();
        const within = this.surround(node, { ...inside, tag: 'p', unquoted: true });
        if (inside.unquoted) this.collect(children, within, found);
        else found.push({ kind: 'quote', blocks: this.readBlocks(children, within) });
      } else if (tag === 'pre') {
        endLine();
        found.push({ kind: 'code', text: codeOf(node) });
      } else if (tag === 'ul' || tag === 'ol') {
        endLine();
        for (const block of this.readList(node, inside)) found.push(block);
      } else if (tag === 'hr') {
        endLine();
      } else if (tag === 'li') {
        // An item outside a list.
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
        for (const child of this.linkChildren(node)) visit(child, within);
        if (tag === 'td' || tag === 'th') visit(' ', inside);
      }
    };

    for (const node of nodes) visit(node, around);
    endLine();
  }

  /** Reads a paragraph, a heading or a box. */
  private readBox(node: MarkupElement, around: Surroundings, found: (Block | WordItem)[]): void {
    const textTag = TEXT_TAG_OF.get(node.tag);
    const inside = this.surround(node, { ...around, tag: textTag ?? around.tag });
    const item = this.foreign && textTag !== undefined ? readWordItem(node) : null;
    if (item !== null) {
      found.push({ ...item, runs: this.readLine(node.children, { ...inside, tag: 'p' }) });
      return;
    }
    if (!inside.mixed && isPreformatted(node)) {
      if (hasOnlyLines(node)) {
        this.pushStyledCode(this.text(codeOf(node)), found);
        return;
      }
      inside.mixed = true;
    }
    const before = found.length;
    this.collect(node.children, inside, found);
    // Our own HTML keeps empty paragraphs; in a clipboard they are spacing.
    if (found.length === before && !this.foreign && isBlankLine(node)) {
      found.push({ kind: 'text', tag: 'p', align: 'left', indent: 0, runs: [] });
    }
  }

  private pushStyledCode(text: string, found: (Block | WordItem)[]): void {
    const last = found.at(-1);
    if (last?.kind === 'code' && this.styledCode.has(last)) {
      last.text += text;
      return;
    }
    const code: Block = { kind: 'code', text };
    this.styledCode.add(code);
    found.push(code);
  }

  /** The children of an element; for a link whose text is its own address, the link's target. */
  private linkChildren({ tag, attributes, children }: MarkupElement): readonly MarkupNode[] {
    const [only] = children;
    const isAddress = tag === 'a' && children.length === 1 && typeof only === 'string';
    return isAddress && only.trim() === attributes.href?.trim() ? [linkText(only)] : children;
  }

  /** Reads the content of a list item: each block becomes a line, separated by breaks. */
  private readLine(nodes: readonly MarkupNode[], around: Surroundings): Run[] {
    const inside: Surroundings = { ...around, align: 'left', indent: 0, unquoted: true };
    return normaliseRuns(linesOf(this.readBlocks(nodes, inside)));
  }

  /** Reads a list. Word for the web writes each item as a separate list; these become `WordItem`s. */
  private readList(node: MarkupElement, around: Surroundings): (ListBlock | WordItem)[] {
    const list: ListBlock = { kind: 'list', ordered: node.tag === 'ol', items: [] };
    const wordItems: WordItem[] = [];
    const inside: Surroundings = { ...around, tag: 'p', align: 'left', indent: 0 };
    for (const child of node.children) {
      if (typeof child === 'string') {
        if (child.trim() !== '') list.items.push(itemOf(this.readLine([child], inside)));
      } else if (this.isDropped(child)) {
        continue;
      } else if (child.tag === 'ul' || child.tag === 'ol') {
        // A list directly in a list belongs to the item before it.
        if (list.items.length === 0) list.items.push(itemOf([]));
        const into = list.items.at(-1)?.nested;
        for (const inner of this.readList(child, inside)) if (inner.kind === 'list') into?.push(inner);
      } else {
        const level = this.foreign ? Number(child.attributes['data-aria-level']) : NaN;
        // Only Word for the web writes this attribute.
        if (level >= 1) {
          const runs = this.readLine(child.children, this.surround(child, inside));
          wordItems.push({ kind: 'word-item', level, ordered: list.ordered, runs });
        } else for (const item of this.readItem(child, inside)) list.items.push(item);
      }
    }
    return wordItems.length > 0 ? wordItems : [list];
  }

  /** Reads an item; text after a nested list becomes a further item. */
  private readItem(node: MarkupElement, around: Surroundings): ListItem[] {
    const inside = this.surround(node, { ...around, align: 'left' });
    const items: ListItem[] = [];
    let lines: Block[] = [];
    let nested: ListBlock[] = [];
    const endItem = () => {
      items.push({ runs: normaliseRuns(linesOf(lines)), align: inside.align, nested });
      lines = [];
      nested = [];
    };
    for (const block of this.readBlocks(node.children, { ...inside, tag: 'p', unquoted: true })) {
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
    const [width, height] = [readPixels(attributes.width ?? ''), readPixels(attributes.height ?? '')];
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

  /** The surroundings of an element's children. */
  private surround(node: MarkupElement, around: Surroundings): Surroundings {
    const marks = new Set(around.marks);
    changeMarks(marks, node);
    const href = (node.tag === 'a' ? allowedHref(node.attributes.href ?? '') : null) ?? around.href;
    if (this.foreign) {
      if (isInsertion(node, { wordProcessed: this.wordProcessed }) && !around.marks.includes('u'))
        marks.delete('u');
      // Links are underlined and headings are bold by default.
      if (href !== null) marks.delete('u');
      if (/^h[1-3]$/.test(around.tag) || /^h\d$/.test(node.tag)) marks.delete('strong');
    }
    const { align = around.align, indent = around.indent } = readPlacement(node, this.options.from);
    return { ...around, marks: MARKS.filter((name) => marks.has(name)), href, align, indent };
  }
}

/** Whether a block is empty or contains only breaks. */
function isBlankLine({ tag, children }: MarkupElement): boolean {
  if (!TEXT_TAG_OF.has(tag) && tag !== 'div') return false;
  return children.every((child) => (typeof child === 'string' ? child.trim() === '' : child.tag === 'br'));
}

/** The text of a code block. Browsers skip a line feed right after `<pre>`. */
function codeOf(pre: MarkupElement): string {
  const text = plainText(pre);
  return typeof pre.children[0] === 'string' ? text.replace(/^\n/, '') : text;
}

/** Elements that a code block cannot contain. */
const NO_LINES: ReadonlySet<string> = new Set([
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'table', 'img', 'hr'],
]);

/** Whether an element contains text, breaks and lines of them only. */
function hasOnlyLines({ children }: MarkupElement): boolean {
  return children.every(
    (child) => typeof child === 'string' || (!NO_LINES.has(child.tag) && hasOnlyLines(child)),
  );
}

function plainText(node: MarkupNode): string {
  if (typeof node === 'string') return node;
  if (node.tag === 'br') return '\n';
  if (DROPPED.has(node.tag)) return '';
  const text = node.children.map(plainText).join('');
  return BOXES.has(node.tag) || TEXT_TAG_OF.has(node.tag) ? `${text}\n` : text;
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
