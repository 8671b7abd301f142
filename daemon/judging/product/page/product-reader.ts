import type { Element } from 'domhandler';
import { foldText } from '../../../waiting-room/parse/normalise-text';
import { INLINE } from '../../../waiting-room/parse/element-visibility';
import { ownText } from '../../../waiting-room/parse/record-element';
import type { PageListener } from '../../../waiting-room/parse/walk-page';
import { BOUNDARY, RAISED } from '../words/price-text';
import { readStockLine } from '../words/stock-words';
import type { Island } from '../structured/page-data';
import { type Item, ItemCollector } from '../structured/structured-data';

/** A part of a line, with the element that holds it. */
export interface LinePart {
  text: string;
  node: number;
}

/** A painted line of text outside buttons. */
export interface Line {
  parts: LinePart[];
  /** The element in which the line begins. */
  node: number;
  /** Whether all of it is the text of links. */
  isLink: boolean;
}

export interface Heading {
  level: number;
  node: number;
  text: string;
  painted: boolean;
}

/** A button, or a link that may be one. */
export interface Action {
  node: number;
  label: string;
  isLink: boolean;
}

export interface Choice {
  node: number;
  options: Array<{ value: string; text: string; disabled: boolean; selected: boolean }>;
}

export interface Radio {
  node: number;
  group: string;
  id: string;
  value: string;
  disabled: boolean;
  selected: boolean;
}

export interface Label {
  node: number;
  /** The id of the field that it names; empty when it holds it. */
  of: string;
  text: string;
}

const MARKS = /[\ufdd0\ufdd1]/;
const HEADING = /^h[1-6]$/;
const BUTTON_TYPES = /^(?:submit|button|image)$/i;
/** Names of an amount's minor part, which follows the major part without a separator. */
const MINOR = /(?:^|[\s_-])(?:frac(?:tion)?|cents?|pence|minor|decimals?|superscript|sup)(?:[\s_-]|$)/i;
/** Names of the element with a product's title. */
export const NAMED_TITLE = /product[-_:]?(?:detail[-_])?(?:title|name)|item[-_]?(?:title|name)/i;
const STOCK_IMAGE = /(?:^|[-_/])(sold[-_]?out|out[-_]?of[-_]?stock)[-_\d]{0,3}\.(?:gif|png|jpe?g|webp|svg)/i;
const LONGEST_ATTRIBUTE = 200_000;
const MAX_ISLANDS = 400;
/** Of lines that are not painted, and of buttons that are not. */
const MAX_SILENT_LINES = 200;

/** Collects what a page shows and stores about its products, on the walk of the page reader. */
export class ProductReader implements PageListener {
  elements: Element[] = [];
  parents: number[] = [];
  painted: boolean[] = [];
  /** By element: the last element inside it. */
  ends: number[] = [];
  lines: Line[] = [];
  /** Lines with a currency in blocks that are hidden from screen readers, next to a copy for them. */
  silentLines: Line[] = [];
  headings: Heading[] = [];
  /** Elements named as a product's title, in case that no heading is. */
  titles: Heading[] = [];
  actions: Action[] = [];
  /** Buttons that do not show. */
  hiddenActions: Action[] = [];
  /** Elements that a style sheet of the page draws as unusable, or struck through. */
  drawnOff = new Set<number>();
  choices: Choice[] = [];
  radios: Radio[] = [];
  labels: Label[] = [];
  /** Elements that carry the value of a choice: `<span data-value="Fox">`. */
  swatches: Array<{ node: number; value: string }> = [];
  islands: Island[] = [];
  meta = new Map<string, string>();
  canonical: string | null = null;
  title = '';
  language = '';
  items: readonly Item[] = [];

  private stack: number[] = [];
  private line: LinePart[] = [];
  private silentLine: LinePart[] = [];
  private lineLinks = true;
  private links = 0;
  private openTexts: Array<{ node: number; pieces: string[]; done: (text: string) => void }> = [];
  private buttons = 0;
  private collector = new ItemCollector();

  begin(): void {
    this.elements = [];
    this.parents = [];
    this.painted = [];
    this.ends = [];
    this.lines = [];
    this.silentLines = [];
    this.silentLine = [];
    this.headings = [];
    this.titles = [];
    this.actions = [];
    this.hiddenActions = [];
    this.drawnOff = new Set();
    this.choices = [];
    this.radios = [];
    this.labels = [];
    this.swatches = [];
    this.islands = [];
    this.stack = [];
    this.line = [];
    this.openTexts = [];
    this.links = 0;
    this.buttons = 0;
    this.collector = new ItemCollector();
    this.items = this.collector.items;
  }

  open(element: Element, painted: boolean, isDrawnOff: boolean): void {
    const { name, attribs } = element;
    const node = this.elements.length;
    this.elements.push(element);
    this.parents.push(this.stack.at(-1) ?? -1);
    this.painted.push(painted);
    this.ends.push(node);
    this.stack.push(node);
    if (isDrawnOff) this.drawnOff.add(node);
    this.collector.open(element, node);
    if (!isInline(name)) this.endLine();
    else this.mark(name === 'sup' || MINOR.test(attribs['class'] ?? '') ? RAISED : BOUNDARY);
    this.readData(element, node);
    switch (name) {
      case 'html':
        this.language = (attribs['lang'] ?? '').slice(0, 2).toLowerCase();
        break;
      case 'meta':
        this.readMeta(attribs);
        break;
      case 'link':
        if (attribs['rel'] === 'canonical') this.canonical ??= attribs['href'] ?? null;
        break;
      case 'title':
        if (this.title === '') this.title = ownText(element).replace(/\s+/g, ' ').trim().slice(0, 300);
        break;
      case 'select':
        this.choices.push({ node, options: [] });
        break;
      case 'option':
        this.choices.at(-1)?.options.push({
          value: attribs['value'] ?? ownText(element),
          text: ownText(element).replace(/\s+/g, ' ').trim().slice(0, 200),
          disabled: attribs['disabled'] !== undefined,
          selected: attribs['selected'] !== undefined,
        });
        break;
      case 'input':
        if (attribs['type'] === 'radio')
          this.radios.push({
            node,
            group: attribs['name'] ?? '',
            id: attribs['id'] ?? '',
            value: attribs['value'] ?? '',
            // Shopify's themes mark a sold-out choice by a class, so that it can still be looked at.
            disabled:
              attribs['disabled'] !== undefined ||
              /(?:^|\s)(?:is-)?disabled(?:\s|$)/.test(attribs['class'] ?? ''),
            selected: attribs['checked'] !== undefined,
          });
        else if (painted && BUTTON_TYPES.test(attribs['type'] ?? ''))
          this.addAction(node, attribs['value'] ?? attribs['alt'] ?? attribs['title'] ?? '', false);
        break;
      case 'img':
        if (painted && this.openTexts.length > 0) this.add(` ${attribs['alt'] ?? ''} `, true);
        else if (painted) this.readImage(attribs, node);
        break;
    }
    const value = attribs['data-value'] ?? attribs['data-option-value'];
    if (
      painted &&
      value !== undefined &&
      /^(?:span|div|li)$/.test(name) &&
      this.swatches.length < MAX_ISLANDS
    )
      this.swatches.push({ node, value });
    if (painted && attribs['role'] === 'img' && name !== 'img')
      this.readImage({ alt: attribs['aria-label'] ?? '' }, node);
    if (name === 'label' && painted)
      this.capture(node, (text) => this.labels.push({ node, of: attribs['for'] ?? '', text }));
    if (painted && attribs['role'] === 'option' && this.swatches.length < MAX_ISLANDS)
      this.capture(node, (text) => this.swatches.push({ node, value: text }));
    const isButton = name === 'button' || attribs['role'] === 'button' || name === 'summary';
    if (isButton && !painted && this.hiddenActions.length < MAX_SILENT_LINES)
      this.capture(node, (label) => this.hiddenActions.push({ node, label, isLink: false }));
    if (painted && isButton) {
      this.buttons += 1;
      this.endLine();
      const label = attribs['aria-label'] ?? attribs['title'] ?? '';
      this.capture(node, (text) => this.addAction(node, text === '' ? label : text, false));
    } else if (painted && name === 'a' && attribs['href'] !== undefined) {
      this.links += 1;
      this.capture(node, (text) => this.addAction(node, text === '' ? (attribs['title'] ?? '') : text, true));
    } else if (HEADING.test(name)) {
      const level = Number(name[1]);
      this.capture(node, (text) => this.headings.push({ level, node, text, painted }));
    } else if (
      NAMED_TITLE.test(
        `${attribs['class'] ?? ''} ${attribs['id'] ?? ''} ${attribs['data-test'] ?? ''} ${attribs['data-testid'] ?? ''}`,
      ) ||
      attribs['itemprop'] === 'name'
    ) {
      this.capture(node, (text) => this.titles.push({ level: 7, node, text, painted }));
    }
  }

  text(data: string, painted: boolean, silent: boolean): void {
    this.collector.text(data);
    if (silent) this.silentLine.push({ text: data, node: this.stack.at(-1) ?? 0 });
    if (painted) this.add(data);
    else for (const open of this.openTexts) if (!this.painted[open.node]) open.pieces.push(data);
  }

  close(element: Element): void {
    const node = this.stack.pop() ?? 0;
    this.ends[node] = this.elements.length - 1;
    this.collector.close(node);
    if (!isInline(element.name)) this.endLine();
    else this.mark(BOUNDARY);
    while (this.openTexts.at(-1)?.node === node) {
      const open = this.openTexts.pop();
      open?.done(plainText(open.pieces.join('')));
      if (element.name === 'a') this.links -= 1;
      else if (
        element.name === 'button' ||
        element.attribs['role'] === 'button' ||
        element.name === 'summary'
      ) {
        this.buttons -= 1;
        this.endLine();
      }
    }
  }

  /** An image that shows words about stock: by its alternative text, or by its file's name (`btn_sold_out.gif`). */
  private readImage({ alt = '', src = '' }: Record<string, string>, node: number): void {
    const text =
      alt.trim() === '' ? (STOCK_IMAGE.exec(src.slice(-80))?.[1] ?? '').replace(/[-_]/g, ' ') : alt;
    if (text.length > 0 && text.length < 40 && readStockLine(foldText(text)) !== null)
      this.lines.push({ parts: [{ text, node }], node, isLink: false });
  }

  private addAction(node: number, label: string, isLink: boolean): void {
    if (label.length < 200) this.actions.push({ node, label: plainText(label), isLink });
  }

  private capture(node: number, done: (text: string) => void): void {
    // Headings, links and buttons are rarely nested; deeper ones are not read.
    if (this.openTexts.length < 6) this.openTexts.push({ node, pieces: [], done });
  }

  private add(data: string, isAside = false): void {
    for (const open of this.openTexts) open.pieces.push(data);
    if (isAside || this.buttons > 0) return;
    if (this.links === 0 && /[\p{L}\p{N}]/u.test(data)) this.lineLinks = false;
    this.line.push({ text: data, node: this.stack.at(-1) ?? 0 });
  }

  private mark(sign: string): void {
    if (this.silentLine.length > 0) this.silentLine.push({ text: sign, node: this.stack.at(-1) ?? 0 });
    this.add(sign);
  }

  private endLine(): void {
    if (this.silentLine.length > 0) this.endSilentLine();
    for (const open of this.openTexts) open.pieces.push('\n');
    if (this.line.length === 0) return;
    const first = this.line.find(({ text }) => text.trim() !== '' && text !== BOUNDARY && text !== RAISED);
    if (first !== undefined) this.lines.push({ parts: this.line, node: first.node, isLink: this.lineLinks });
    this.line = [];
    this.lineLinks = true;
  }

  private endSilentLine(): void {
    const parts = this.silentLine.slice(0, 20);
    const [first] = parts;
    this.silentLine = [];
    if (first === undefined || this.silentLines.length >= MAX_SILENT_LINES) return;
    if (parts.some(({ text }) => /[£€$¥￡￥]/.test(text)))
      this.silentLines.push({ parts, node: first.node, isLink: false });
  }

  private readMeta(attribs: Record<string, string>): void {
    const name = (attribs['property'] ?? attribs['name'] ?? '').toLowerCase();
    if (name !== '' && attribs['content'] !== undefined && !this.meta.has(name))
      this.meta.set(name, attribs['content'].trim());
  }

  private readData(element: Element, node: number): void {
    const { name, attribs } = element;
    if (this.islands.length >= MAX_ISLANDS) return;
    if (name === 'script') {
      if (attribs['src'] !== undefined) return;
      const type = (attribs['type'] ?? '').toLowerCase();
      const text = ownText(element);
      if (type.includes('ld+json')) this.islands.push({ text, node, kind: 'ld' });
      // Magento keeps its widgets' settings in scripts with a custom type.
      else if (type.includes('json') || type === 'text/x-magento-init')
        this.islands.push({ text, node, kind: 'json' });
      else if (type === '' || type.includes('javascript') || type === 'module')
        this.islands.push({ text, node, kind: 'script' });
      return;
    }
    // Themes of Shopify keep the variants in a hidden field (`<textarea data-variant-json>`).
    if (name === 'textarea') {
      const text = ownText(element).trim();
      if (/^[[{]/.test(text)) this.islands.push({ text, node, kind: 'json' });
    }
    for (const key in attribs) {
      if (!key.startsWith('data-') && key !== 'x-data') continue;
      const value = attribs[key] ?? '';
      if (value.length < 12 || value.length > LONGEST_ATTRIBUTE) continue;
      const first = value.trimStart()[0];
      if (first === '{' || first === '[') this.islands.push({ text: value, node, kind: 'attribute' });
    }
  }
}

/** The labels of two radio buttons are two lines. */
function isInline(name: string): boolean {
  return INLINE.has(name) && name !== 'label';
}

/** A text without the marks of its inline elements, with single spaces. */
function plainText(text: string): string {
  const plain = MARKS.test(text) ? withoutMarks(text) : text;
  return (/[^\S ]| {2}/.test(plain) ? plain.replace(/\s+/g, ' ') : plain).trim();
}

function withoutMarks(text: string): string {
  return text
    .replace(/([\p{L}\d.!])\ufdd0+(?=[\p{L}£€$])/gu, '$1 ')
    .replace(/(\d)\ufdd0+(?=\d)/g, '$1 ')
    .replace(/[\ufdd1\ufdd0]+/g, '');
}

/** The text of a line's parts. */
export function textOf({ parts }: Pick<Line, 'parts'>): string {
  return plainText(parts.map(({ text }) => text).join(''));
}
