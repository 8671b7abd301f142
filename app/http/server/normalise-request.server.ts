import type { IncomingMessage } from 'node:http';

/** The methods Remix routes (@remix-run/router, `validRequestMethods`). */
const ROUTABLE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

function hasBrokenEscape(path: string): boolean {
  try {
    decodeURIComponent(path);
    return false;
  } catch {
    return true;
  }
}

function isApiPath(path: string): boolean {
  return /^\/+api(\/|$)/i.test(decodeURIComponent(path));
}

/**
 * The request target as our router understands it: origin form, every escape decodable, no backslash, no `.` or `..`,
 * and without Remix's two further ways into loaders: `?_data=`, and for the API, which answers JSON only, the `.data`
 * suffix.
 */
export function normaliseTarget(target: string): string {
  let originForm = target;
  if (!originForm.startsWith('/')) {
    const absolute = URL.canParse(originForm) ? new URL(originForm) : null;
    originForm = absolute?.pathname.startsWith('/') ? absolute.pathname + absolute.search : '/';
  }
  const [, given = '/', search = ''] = /^([^?]*)(?:\?(.*))?$/s.exec(originForm) ?? [];
  let path = hasBrokenEscape(given) ? given.replaceAll('%', '%25') : given;
  // The file server repeats a path in its redirects, and browsers take `\` for `/`: `/\host` would lead to that host.
  path = path.replaceAll('\\', '%5C');
  // As Remix will read it (WHATWG URL, "path state"): the path that is checked must be the path that is served, and
  // `/api/../dashboard` is served as `/dashboard`.
  path = new URL(`http://host${path}`).pathname;
  if (isApiPath(path)) path = path.replace(/\.data$/, '%2Edata');

  const parameters = new URLSearchParams(search);
  if (!parameters.has('_data')) return search === '' ? path : `${path}?${search}`;
  parameters.delete('_data');
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/**
 * Makes a raw request one that remix-serve's middleware accepts: what it rejects it answers with an HTML page of its own.
 * A method that Remix does not route becomes OPTIONS. `appHost` replaces an invalid Host header. X-Forwarded-Host is
 * dropped: absolute links come from APP_URL, and no header decides which host was meant.
 */
export function normaliseRequest(
  request: Pick<IncomingMessage, 'url' | 'method' | 'headers'>,
  appHost: string,
): void {
  request.url = normaliseTarget(request.url ?? '/');
  delete request.headers['x-forwarded-host'];
  const host = request.headers.host;
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}/`)) {
    request.headers.host = appHost;
  }
  if (!ROUTABLE_METHODS.has(request.method ?? 'GET')) request.method = 'OPTIONS';
}
