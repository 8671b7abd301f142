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

const PARAMETER = 'next';
/** The path is also stored in cookies, whose size browsers limit. */
const MAX_LENGTH = 500;

/** Returns the path to open after a login, from untrusted input; null unless it is a path of this site. */
export function asNextPath(value: unknown): string | null {
  const path = safePath(value);
  return path === '/' || path.length > MAX_LENGTH ? null : path;
}

/** Returns the `next` path of a URL's search parameters; null as in `asNextPath`. */
export function nextPathOf(search: URLSearchParams): string | null {
  return asNextPath(search.get(PARAMETER));
}

/** Adds the `next` parameter to a path, which may have search parameters. */
export function withNext(path: string, next: string | null): string {
  if (next === null) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ [PARAMETER]: next })}`;
}
