import { DomHandler, type Document, type Element } from 'domhandler';
import { Parser } from 'htmlparser2';

/** A document, and its style elements, which have to be read before anything else in it. */
export interface ParsedHtml {
  document: Document;
  styleSheets: readonly Element[];
  /** Whether some element is marked as the page's main part. */
  hasMain: boolean;
}

/** Browsers flatten, too (Blink at 512 levels): what is nested deeper becomes a sibling. */
const DEEPEST = 1000;

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

/** The parser searches its stack at every end tag: bounded nesting keeps its time linear in the size of the page. */
class FlatteningParser extends Parser {
  private flattening = false;
  /** Whether the element that is being opened is in `flattened` already: the parser asks about it twice. */
  private counted = false;
  /** Elements whose end tags close nothing, because they were never nested. */
  private flattened = 0;

  constructor(private readonly handler: CountingHandler) {
    super(handler);
  }

  override onopentagname(start: number, end: number): void {
    this.flattening = this.handler.depth >= DEEPEST;
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
    if (!this.flattening) return isVoid;
    if (!this.counted && !isVoid) this.flattened += 1;
    this.counted = true;
    return true;
  }
}

/** Parses HTML, however broken, into a tree of bounded depth, in linear time. */
export function parseHtml(source: string): ParsedHtml {
  const styleSheets: Element[] = [];
  const handler = new CountingHandler(undefined, undefined, (element) => {
    if (element.name === 'style') styleSheets.push(element);
  });
  new FlatteningParser(handler).end(source);
  return { document: handler.root, styleSheets, hasMain: handler.hasMain };
}
