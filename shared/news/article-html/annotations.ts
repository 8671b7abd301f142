import type { MarkupElement, MarkupNode } from './markup';
import { readStyle } from './read-style';

/** Where Word and Google Docs link a mark in the text with its comment or its note, and back. */
const NOTE_ANCHOR = /(?:^|#)(?:_?(?:mso(?:com|anchor)|ftn|edn)(?:ref)?_?\d+|(?:cmnt|ftnt)(?:_ref)?\d+)$/i;

/** Classes of comments, of marks of notes, and of deleted passages: Word's, then those of Word for the web. */
const DROPPED_CLASSES: ReadonlySet<string> = new Set([
  ...['msocommentreference', 'msocommenttext', 'msocommentsubject', 'msocomanchor', 'msocomtxt', 'msocomoff'],
  ...['msofootnotereference', 'msoendnotereference', 'msodel'],
  ...['trackchangetextdeletion', 'trackchangedeleterun'],
]);

const INSERTED_CLASSES: ReadonlySet<string> = new Set([
  'msoins',
  'trackchangetextinsertion',
  'trackchangeinsertrun',
]);

/** Values of `mso-special-character`. */
const DROPPED_CHARACTERS: ReadonlySet<string> = new Set(['comment', 'footnote', 'endnote']);

/** The levels below a box in which the anchor of a Google Docs comment is looked for. */
const ANCHOR_DEPTH = 4;

const classesOf = ({ attributes }: MarkupElement) => (attributes.class ?? '').toLowerCase().split(/\s+/);

/** Whether an element is a change that its word processor tracks: it names who made it or when. */
function isTracked({ attributes }: MarkupElement): boolean {
  return attributes.cite !== undefined || attributes.datetime !== undefined;
}

/** Whether a clipboard comes from Word or Google Docs, where `del` and `ins` are tracked changes only. */
export function isWordProcessed(markup: readonly MarkupNode[]): boolean {
  return markup.some(
    (node) =>
      typeof node !== 'string' &&
      (/^docs-internal-guid/.test(node.attributes.id ?? '') ||
        /(?:^|\s)mso/i.test(node.attributes.class ?? '') ||
        /(?:^|;)\s*mso-/i.test(node.attributes.style ?? '') ||
        (node.tag === 'meta' && /^microsoft word/i.test(node.attributes.content ?? '')) ||
        isWordProcessed(node.children)),
  );
}

/** Whether an element is a comment, its anchor, the mark of a note, or a passage that was deleted. */
export function isAnnotation(node: MarkupElement, { wordProcessed }: { wordProcessed: boolean }): boolean {
  const { tag, attributes } = node;
  if (tag === 'del') return wordProcessed || isTracked(node);
  if (
    tag === 'a' &&
    [attributes.href, attributes.name, attributes.id].some((at) => NOTE_ANCHOR.test(at ?? ''))
  )
    return true;
  if (classesOf(node).some((name) => DROPPED_CLASSES.has(name))) return true;
  if (attributes.style?.includes('mso-') === true) {
    const style = readStyle(attributes.style);
    // The text of a footnote stays: `mso-element:footnote` is the note, `mso-special-character:footnote` its mark.
    if (/^comment/.test(style.get('mso-element') ?? '')) return true;
    if (DROPPED_CHARACTERS.has(style.get('mso-special-character') ?? '')) return true;
  }
  return (tag === 'p' || tag === 'div') && beginsWithComment(node, ANCHOR_DEPTH);
}

/** Google Docs writes a comment as a box that begins with the anchor of the comment. */
function beginsWithComment({ children }: MarkupElement, depth: number): boolean {
  const first = children.find((child) => typeof child !== 'string' || child.trim() !== '');
  if (first === undefined || typeof first === 'string' || depth === 0) return false;
  if (first.tag === 'a') return /^cmnt\d+$/.test(first.attributes.id ?? first.attributes.name ?? '');
  return beginsWithComment(first, depth - 1);
}

/** Whether an element is a passage that was inserted: its underline shows the change only. */
export function isInsertion(node: MarkupElement, { wordProcessed }: { wordProcessed: boolean }): boolean {
  if (node.tag === 'ins') return wordProcessed || isTracked(node);
  return classesOf(node).some((name) => INSERTED_CLASSES.has(name));
}
