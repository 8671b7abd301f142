import { useLocation } from '@remix-run/react';
import { nextPathOf, withNext } from './next-path';

/** A link to a page where people sign in: it leads on to where the address at hand wanted to lead. */
export function useSignInPath(): (path: string) => string {
  const { search } = useLocation();
  const next = nextPathOf(new URLSearchParams(search));
  return (path) => withNext(path, next);
}
