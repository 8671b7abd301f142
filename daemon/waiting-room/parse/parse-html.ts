import { DomHandler, type Document, type Element } from 'domhandler';
import { Parser } from 'htmlparser2';

/** A parsed document, and its style elements, which have to be read first. */
export interface ParsedHtml {
  document: Document;
  styleSheets: readonly Element[];
  /** Whether an element is marked as the page's main part. */
  hasMain: boolean;
}

/** Elements nested deeper become siblings. Browsers do the same (Blink at 512 levels). */
const MAX_DEPTH = 1000;

class CountingHandler extends DomHandler {
  depth = 0;
  hasMain = false;

  override onopentag(name: string, attributes: Record<string, string>): void {
    this.depth += 1;
    if (name === 'main' || attributes['role'] === 'main') this.hasMain = true;
    super.onopentag(name, attributes);
  }

  override onclosetag(): void {
    this.depth -= 1;
    super.onclosetag();
  }
}

/** The parser searches its stack at every end tag, so limited nesting keeps its time linear in the size of the page. */
class FlatteningParser extends Parser {
  private flattening = false;
  /** Whether `flattened` includes the current element: the parser calls `isVoidElement` twice for it. */
  private counted = false;
  /** Number of flattened elements whose later end tags must be ignored. */
  private flattened = 0;

  constructor(private readonly handler: CountingHandler) {
    super(handler);
  }

  override onopentagname(start: number, end: number): void {
    this.flattening = this.handler.depth >= MAX_DEPTH;
    this.counted = false;
    super.onopentagname(start, end);
  }

  override onclosetag(start: number, end: number): void {
    this.flattening = false;
    if (this.flattened > 0) this.flattened -= 1;
    else super.onclosetag(start, end);
  }

  protected override isVoidElement(name: string): boolean {
    const isVoid = super.isVoidElement(name);
    // The parser has no name for an element that it ignores: a form within a form.
    if (!this.flattening || name === '') return isVoid;
    if (!this.counted && !isVoid) this.flattened += 1;
    this.counted = true;
    return true;
  }
}

/** Parses HTML, also invalid HTML, into a tree of limited depth, in linear time. */
export function parseHtml(source: string): ParsedHtml {
  const styleSheets: Element[] = [];
  const handler = new CountingHandler(undefined, undefined, (element) => {
    if (element.name === 'style') styleSheets.push(element);
  });
  new FlatteningParser(handler).end(source);
  return { document: handler.root, styleSheets, hasMain: handler.hasMain };
}
