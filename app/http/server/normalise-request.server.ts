import type { IncomingMessage } from 'node:http';

/** Carries the method of a request whose method the fetch `Request` cannot hold. */
export const ORIGINAL_METHOD_HEADER = 'x-original-method';

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
 * The request target as our router understands it: origin form, every escape decodable, no backslash, no `.` or `..`, and without
 * Remix's two side doors into loaders: `?_data=`, and for the API, which speaks JSON only, the `.data` suffix.
 */
export function tidyTarget(target: string): string {
  let tidy = target;
  if (!tidy.startsWith('/')) {
    const absolute = URL.canParse(tidy) ? new URL(tidy) : null;
    tidy = absolute?.pathname.startsWith('/') ? absolute.pathname + absolute.search : '/';
  }
  const [, path = '/', search = ''] = /^([^?]*)(?:\?(.*))?$/s.exec(tidy) ?? [];
  let cleanPath = hasBrokenEscape(path) ? path.replaceAll('%', '%25') : path;
  // The file server repeats a path in its redirects, and browsers take `\` for `/`: `/\host` would lead to that host.
  cleanPath = cleanPath.replaceAll('\\', '%5C');
  // As Remix will read it (WHATWG URL, "path state"): what is judged by its path must be what is served, and
  // `/api/../dashboard` is served as `/dashboard`.
  cleanPath = new URL(`http://host${cleanPath}`).pathname;
  if (isApiPath(cleanPath)) cleanPath = cleanPath.replace(/\.data$/, '%2Edata');

  const parameters = new URLSearchParams(search);
  if (!parameters.has('_data')) return search === '' ? cleanPath : `${cleanPath}?${search}`;
  parameters.delete('_data');
  return parameters.size === 0 ? cleanPath : `${cleanPath}?${parameters}`;
}

/**
 * Makes a raw request one that the server's middleware cannot choke on: what it refuses it answers with an
 * HTML page of its own. `appHost` stands in for a Host header that is none. X-Forwarded-Host is dropped:
 * absolute links come from APP_URL, and nobody else's word decides which host was asked.
 */
export function tidyRequest(request: IncomingMessage, appHost: string): void {
  request.url = tidyTarget(request.url ?? '/');
  delete request.headers['x-forwarded-host'];
  const host = request.headers.host;
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}/`)) {
    request.headers.host = appHost;
  }
  delete request.headers[ORIGINAL_METHOD_HEADER];
  const method = request.method ?? 'GET';
  if (!ROUTABLE_METHODS.has(method)) {
    request.headers[ORIGINAL_METHOD_HEADER] = method;
    request.method = 'OPTIONS';
  }
}
