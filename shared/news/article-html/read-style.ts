import { MARK_OF, readClasses, type Align, type Mark } from './article-format';
import type { MarkupElement } from './markup';

/** `ours`: the editor, the textarea or the API. `foreign`: a clipboard, whose empty paragraphs and nbsp are spacing. */
export type Origin = 'ours' | 'foreign';

/** The declarations of a style attribute. Values that contain a semicolon are cut there. */
export function readStyle(style: string | undefined): Map<string, string> {
  const declarations = new Map<string, string>();
  for (const declaration of (style ?? '').split(';')) {
    const colon = declaration.indexOf(':');
    if (colon === -1) continue;
    const value = declaration.slice(colon + 1).trim();
    declarations.set(declaration.slice(0, colon).trim().toLowerCase(), value.toLowerCase());
  }
  return declarations;
}

/** Whether an element is hidden in its source, such as a list marker of Word or a mail's preheader. */
export function isHidden({ attributes }: MarkupElement): boolean {
  const style = readStyle(attributes.style);
  return (
    style.get('mso-list') === 'ignore' ||
    style.get('mso-hide') === 'all' ||
    style.get('display') === 'none' ||
    attributes.hidden !== undefined
  );
}

const FIXED_WIDTH = /\bmono|monospace|consolas|courier|menlo|monaco/;

/**
 * Whether a block keeps its line feeds and spaces by its style, as code editors write code. Word processors and chats
 * write `pre-wrap` for all text, so that needs a font of fixed width, too.
 */
export function isPreformatted({ attributes }: MarkupElement): boolean {
  if (attributes.style === undefined) return false;
  const style = readStyle(attributes.style);
  const whiteSpace = style.get('white-space') ?? '';
  if (/^pre(?:\s+nowrap)?(?:\s*!important)?$/.test(whiteSpace)) return true;
  const isKept = /^(?:pre-wrap|break-spaces|preserve)\b/.test(whiteSpace);
  return isKept && FIXED_WIDTH.test(style.get('font-family') ?? style.get('font') ?? '');
}

/** Adds and removes marks as an element and its style define. */
export function changeMarks(marks: Set<Mark>, { tag, attributes }: MarkupElement): void {
  const mark = MARK_OF.get(tag);
  if (mark !== undefined) marks.add(mark);
  if (attributes.style === undefined) return;
  const style = readStyle(attributes.style);
  const weight = style.get('font-weight') ?? '';
  const slant = style.get('font-style') ?? '';
  if (/^(normal|bold|lighter|\d)/.test(weight)) setMark(marks, 'strong', isBold(weight));
  if (/^(normal|italic|oblique)/.test(slant)) setMark(marks, 'em', slant !== 'normal');
  const decoration = `${style.get('text-decoration') ?? ''} ${style.get('text-decoration-line') ?? ''}`;
  if (decoration.includes('underline')) marks.add('u');
  if (decoration.includes('line-through')) marks.add('s');
}

function setMark(marks: Set<Mark>, mark: Mark, on: boolean): void {
  if (on) marks.add(mark);
  else marks.delete(mark);
}

const isBold = (weight: string) => weight.startsWith('bold') || parseInt(weight, 10) >= 600;

/** The alignment and the indent that an element sets; undefined if it sets none. */
export function readPlacement(
  { tag, attributes }: MarkupElement,
  origin: Origin,
): { align: Align | undefined; indent: number | undefined } {
  const { align, indent } =
    origin === 'ours' ? readClasses(attributes.class ?? '') : { align: undefined, indent: undefined };
  if (align !== undefined) return { align, indent };
  const textAlign = readStyle(attributes.style).get('text-align') ?? attributes.align;
  if (textAlign === undefined) return { align: tag === 'center' ? 'center' : undefined, indent };
  return { align: alignOf(textAlign, origin), indent };
}

function alignOf(value: string, origin: Origin): Align {
  const name = value.trim().toLowerCase();
  if (name === 'center' || name === 'right') return name;
  if (name === 'end') return 'right';
  // Word justifies whole documents, so only our own HTML keeps it.
  return name === 'justify' && origin === 'ours' ? 'justify' : 'left';
}
