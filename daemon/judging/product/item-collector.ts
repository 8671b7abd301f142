import type { Element } from 'domhandler';

/** An item of microdata or RDFa. */
export interface Item {
  type: string;
  /** The element that holds it. */
  node: number;
  properties: Map<string, Array<string | Item>>;
}

const MAX_ITEMS = 2000;
const MAX_VALUE = 5000;

/** Collects the items of microdata (`itemprop`) and RDFa (`property`) while a page is walked. */
export class ItemCollector {
  readonly items: Item[] = [];
  private readonly open_: Item[] = [];
  private readonly values: Array<{
    node: number;
    names: string[];
    item: Item;
    pieces: string[];
    length: number;
  }> = [];

  open(element: Element, node: number): void {
    const { attribs } = element;
    const scope = attribs['itemscope'] !== undefined || attribs['typeof'] !== undefined;
    const current = this.open_.at(-1);
    const names = (attribs['itemprop'] ?? (current === undefined ? '' : attribs['property']) ?? '')
      .split(/\s+/)
      .map((name) => name.slice(name.lastIndexOf(':') + 1))
      .filter((name) => name !== '');
    if (scope && this.items.length < MAX_ITEMS) {
      const type = attribs['itemtype'] ?? attribs['typeof'] ?? '';
      const item: Item = { type: lastPartOf(type), node, properties: new Map() };
      if (current === undefined || names.length === 0) this.items.push(item);
      else for (const name of names) add(current, name, item);
      this.open_.push(item);
      return;
    }
    if (current === undefined || names.length === 0) return;
    const value =
      attribs['content'] ??
      attribs['href'] ??
      attribs['resource'] ??
      (element.name === 'data' || element.name === 'meter' ? attribs['value'] : undefined) ??
      (element.name === 'img' ? attribs['src'] : undefined);
    if (value !== undefined && !(element.name === 'a' && names.includes('name')))
      for (const name of names) add(current, name, value);
    else this.values.push({ node, names, item: current, pieces: [], length: 0 });
  }

  text(data: string): void {
    const value = this.values.at(-1);
    if (value === undefined || value.length > MAX_VALUE) return;
    value.pieces.push(data);
    value.length += data.length;
  }

  close(node: number): void {
    const value = this.values.at(-1);
    if (value?.node === node) {
      this.values.pop();
      const text = value.pieces.join('').replace(/\s+/g, ' ').trim();
      for (const name of value.names) add(value.item, name, text);
      // The text of an inner value is part of the outer one.
      this.text(text);
    }
    if (this.open_.at(-1)?.node === node) this.open_.pop();
  }
}

/** The name behind the last `/`, `#` or `:`. */
export function lastPartOf(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('#'), name.lastIndexOf(':')) + 1);
}

function add(item: Item, name: string, value: string | Item): void {
  const known = item.properties.get(name);
  if (known === undefined) item.properties.set(name, [value]);
  else known.push(value);
}

/** An item in the shape of JSON-LD, so that both are read by the same rules. */
export function asLinkedData(item: Item, depth = 0): Record<string, unknown> {
  const data: Record<string, unknown> = { '@type': item.type, node: item.node };
  for (const [name, values] of item.properties) {
    if (name === '__proto__' || name === '@type' || name === 'node') continue;
    const read = values.map((value) =>
      typeof value === 'string' || depth > 8 ? value : asLinkedData(value, depth + 1),
    );
    data[name] = read.length === 1 ? read[0] : read;
  }
  return data;
}
