/** Parses a URL, relative to `base` if given. Null when it is invalid. */
export function parseAddress(address: string, base?: string): URL | null {
  try {
    return new URL(address.trim(), base);
  } catch {
    return null;
  }
}

/** The label that an organisation registered, without the public suffix: `shop.pokemoncenter.co.uk`: `pokemoncenter`. */
export function organisationOf(host: string): string {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.');
  if (labels.length < 2 || /^[\d.]+$/.test(host) || host.includes(':')) return host;
  const secondLevel = labels.at(-2) ?? '';
  const isSuffix = /^(?:co|com|org|net|gov|ac|ne|or|go)$/.test(secondLevel) && labels.length > 2;
  return labels.at(isSuffix ? -3 : -2) ?? host;
}

/** Whether two hosts seem to belong to one organisation, such as `shop.example.de` and `www.example-store.com`. */
export function isSameOrganisation(one: string, other: string): boolean {
  const [a, b] = [organisationOf(one), organisationOf(other)];
  return a === b || (Math.min(a.length, b.length) >= 5 && (a.startsWith(b) || b.startsWith(a)));
}

/**
 * The parameters of a query, decoded, with names in lower case. A parameter that is percent-encoded as a whole
 * (`wrid%3D868`) counts; a name inside another parameter's value does not.
 */
export function queryParameters(address: string): Map<string, string> {
  let text = address;
  if (!text.includes('?')) text = decodeLoosely(text);
  const start = text.indexOf('?');
  const parts = new Map<string, string>();
  if (start === -1) return parts;
  for (const raw of (text.slice(start + 1).split('#')[0] ?? '').split(/&(?:amp;)?/i)) {
    const part = decodeLoosely(raw);
    const equals = part.indexOf('=');
    if (equals > 0) parts.set(part.slice(0, equals).toLowerCase(), part.slice(equals + 1));
  }
  return parts;
}

/** Decodes percent escapes as UTF-8. Invalid ones (`100%`) and other bytes stay (URL Standard, "percent-decode"). */
export function decodeLoosely(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, decodeOrKeep);
  }
}

function decodeOrKeep(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}
