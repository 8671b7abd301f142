import { useLocation } from '@remix-run/react';
import { nextPathOf, withNext } from '#shared/site/paths';

/** Returns a function that adds the current URL's `next` parameter to the path of a login page. */
export function useSignInPath(): (path: string) => string {
  const { search } = useLocation();
  const next = nextPathOf(new URLSearchParams(search));
  return (path) => withNext(path, next);
}
