/** The address as a URL, or null when it is none. */
export function parseAddress(address: string, base?: string): URL | null {
  try {
    return new URL(address.trim(), base);
  } catch {
    return null;
  }
}

/**
 * The name that an organisation registered, without its country's ending: `www.pokemoncenter.com` and
 * `shop.pokemoncenter.co.uk` are both `pokemoncenter`.
 */
export function organisationOf(host: string): string {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.');
  if (labels.length < 2 || /^[\d.]+$/.test(host) || host.includes(':')) return host;
  const beforeEnding = labels.at(-2) ?? '';
  const ending = /^(?:co|com|org|net|gov|ac|ne|or|go)$/.test(beforeEnding) && labels.length > 2;
  return labels.at(ending ? -3 : -2) ?? host;
}

/** Whether two hosts belong to one organisation, `shop.example.de` and `www.example-store.com` among them. */
export function isSameOrganisation(one: string, other: string): boolean {
  const [a, b] = [organisationOf(one), organisationOf(other)];
  return a === b || (Math.min(a.length, b.length) >= 5 && (a.startsWith(b) || b.startsWith(a)));
}

/**
 * The parts of a query as names and values, decoded, names in lower case. A part that was percent-encoded as a
 * whole (`wrid%3D868`) counts; a name that only occurs inside another part's value does not.
 */
export function queryParts(address: string): Map<string, string> {
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

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
