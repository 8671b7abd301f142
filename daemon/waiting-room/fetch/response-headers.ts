/**
 * Normalises headers in any usual form (an object of strings or lists, a list of pairs, a list of `{ name, value }`).
 * Names become lower case, repeated names become a list, and everything else is left out. A shop may name a header
 * `constructor` or `__proto__`: a `Map` collects them, and the object has no prototype.
 */
export function normaliseHeaders(source: unknown): Record<string, string | string[]> {
  const headers = new Map<string, string | string[]>();
  for (const [name, value] of pairsOf(source)) {
    const key = name.trim().toLowerCase();
    const values = (Array.isArray(value) ? value : [value]).flatMap(asText);
    if (key === '' || values.length === 0) continue;
    const all = [headers.get(key) ?? []].flat().concat(values);
    headers.set(key, all.length === 1 && !Array.isArray(value) ? (all[0] ?? '') : all);
  }
  return toHeaders(headers);
}

/** An object without a prototype: `headers[name]` is a header of the answer or undefined, whatever the name. */
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
