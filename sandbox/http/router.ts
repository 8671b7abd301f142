import type { Exchange } from './exchange';

export interface Route {
  method: string;
  /** Segments are literal, `:name` (one segment) or, as the last one, `*` (the rest, kept as `rest`). */
  pattern: string;
  handle(exchange: Exchange): void | Promise<void>;
}

export interface Found {
  route: Route;
  params: Record<string, string>;
}

/** Nothing answers this path with this method; `allow` lists the methods that would be answered (none: a 404). */
export interface NotFound {
  allow: string[];
}

export function isFound(result: Found | NotFound): result is Found {
  return 'route' in result;
}

/** The first route for a method and a path; HEAD is answered by GET's route. */
export function findRoute(routes: readonly Route[], method: string, pathname: string): Found | NotFound {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const allow: string[] = [];
  for (const route of routes) {
    const params = matchPath(route.pattern, pathname);
    if (!params) continue;
    if (route.method === wanted) return { route, params };
    allow.push(route.method);
  }
  return { allow: [...new Set(allow)] };
}

function matchPath(pattern: string, pathname: string): Record<string, string> | null {
  const wanted = pattern.split('/');
  const given = pathname.split('/');
  const open = wanted.at(-1) === '*';
  if (open ? given.length < wanted.length - 1 : given.length !== wanted.length) return null;

  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    if (open && index === wanted.length - 1) {
      params.rest = given.slice(index).join('/');
      return params;
    }
    const value = given[index] ?? '';
    if (!segment.startsWith(':')) {
      if (segment !== value) return null;
      continue;
    }
    const decoded = decodeSegment(value);
    if (decoded === null || decoded === '') return null;
    params[segment.slice(1)] = decoded;
  }
  return params;
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
