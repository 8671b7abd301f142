const BASE = 'http://same-site.invalid';

/** Browsers read `//host` and `/\host` as another site, and drop control characters before they read. */
function isRooted(path: string): boolean {
  return /^\/(?!\/)/.test(path) && !/[\p{Cc}\\]/u.test(path);
}

/** Where to send a browser back to: the given path when it stays on this site, else `/`. */
export function safePath(value: unknown): string {
  if (typeof value !== 'string' || !isRooted(value) || !URL.canParse(value, BASE)) return '/';
  const url = new URL(value, BASE);
  // Dot segments can reveal a second slash: `/.//host`.
  return url.origin === BASE && isRooted(url.pathname) ? url.pathname + url.search + url.hash : '/';
}
