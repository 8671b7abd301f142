import { useLocation } from '@remix-run/react';
import { safePath } from '~/http/forms/safe-path';

const PARAMETER = 'next';
/** It travels in cookies, for which browsers have little room. */
const LONGEST = 500;

/** Where a sign-in leads when it is done; null when no own page is named. `value`: what a browser has sent. */
export function asNextPath(value: unknown): string | null {
  const path = safePath(value);
  return path === '/' || path.length > LONGEST ? null : path;
}

/** The same, as an address names it. */
export function nextPathOf(search: URLSearchParams): string | null {
  return asNextPath(search.get(PARAMETER));
}

/** An address that names where the sign-in leads. `path`: an own path, perhaps with a search. */
export function withNext(path: string, next: string | null): string {
  if (next === null) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ [PARAMETER]: next })}`;
}

/** A link to a page where people sign in: it leads on to where the address at hand wanted to lead. */
export function useSignInPath(): (path: string) => string {
  const { search } = useLocation();
  const next = nextPathOf(new URLSearchParams(search));
  return (path) => withNext(path, next);
}
