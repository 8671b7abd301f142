/** The cookies of a Cookie header, by name, as they were written; of a repeated one the first counts, as for Remix. */
export function readCookies(header: string | null | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const cut = pair.indexOf('=');
    const name = pair.slice(0, cut).trim();
    if (cut > 0 && name !== '' && !found.has(name)) found.set(name, pair.slice(cut + 1).trim());
  }
  return found;
}
