/** The first `limit` characters as people count them: no emoji is cut in half. */
export function firstCharacters(text: string, limit: number): string {
  // Twice as many code units hold that many characters, however long the text is.
  return [...text.slice(0, 2 * limit)].slice(0, limit).join('');
}

/**
 * The text when it has at most `fits` characters, else its first `keep` with '…'. Unless said otherwise the ellipsis
 * is one of those that fit.
 */
export function shorten(text: string, { fits, keep = fits - 1 }: { fits: number; keep?: number }): string {
  const fitting = firstCharacters(text, fits);
  return fitting.length === text.length ? text : `${firstCharacters(text, keep).trimEnd()}…`;
}
