/**
 * Normalises headers in any usual form (an object of strings or lists, a list of pairs, a list of `{ name, value }`).
 * Names become lower case, repeated names become a list, and everything else is left out. A shop may name a header
 * `constructor` or `__proto__`: a `Map` collects them, and the object has no prototype.
 */
export function normaliseHeaders(source: unknown): Record<string, string | string[]> {
  const headers = new Map<string, { values: string[]; isList: boolean }>();
  for (const [name, value] of pairsOf(source)) {
    const key = name.trim().toLowerCase();
    const values = (Array.isArray(value) ? value : [value]).flatMap(asText);
    if (key === '' || values.length === 0) continue;
    const known = headers.get(key);
    if (known === undefined) headers.set(key, { values, isList: Array.isArray(value) });
    else for (const one of values) known.values.push(one);
  }
  const entries = [...headers].map(([name, { values, isList }]) => {
    const single = values.length === 1 && !isList ? (values[0] ?? '') : values;
    return [name, single] as const;
  });
  return toHeaders(entries);
}

/** The headers of a response as judged and stored: UTF-8 bytes are read as such, control characters left out. */
export function headersOfResponse(
  headers: readonly (readonly [name: string, value: string])[],
): Record<string, string | string[]> {
  const collected = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const values = collected.get(name);
    if (values === undefined) collected.set(name, [readable(value)]);
    else values.push(readable(value));
  }
  const entries = [...collected].map(([name, values]) => [name, singleOrList(name, values)] as const);
  return toHeaders(entries);
}

function singleOrList(name: string, values: string[]): string | string[] {
  return values.length === 1 && name !== 'set-cookie' ? (values[0] ?? '') : values;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** `value`: one character per byte. */
function readable(value: string): string {
  let text = value;
  try {
    text = UTF8.decode(Buffer.from(value, 'latin1'));
  } catch {
    // The bytes are no UTF-8: each stays one character.
  }
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g, '');
}

/** An object without a prototype: `headers[name]` is a header of the answer or undefined, for any name. */
export function toHeaders(
  entries: Iterable<readonly [string, string | string[]]>,
): Record<string, string | string[]> {
  const headers = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of entries) headers[name] = value;
  return headers;
}

function pairsOf(source: unknown): Array<[string, unknown]> {
  if (typeof source !== 'object' || source === null) return [];
  if (!Array.isArray(source)) return Object.entries(source);
  return source.flatMap((entry: unknown): Array<[string, unknown]> => {
    if (Array.isArray(entry)) return typeof entry[0] === 'string' ? [[entry[0], entry[1]]] : [];
    if (typeof entry !== 'object' || entry === null || !('name' in entry) || !('value' in entry)) return [];
    return typeof entry.name === 'string' ? [[entry.name, entry.value]] : [];
  });
}

function asText(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}
