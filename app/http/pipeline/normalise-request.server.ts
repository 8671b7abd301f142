import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

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

/** The form of most request targets, which stay unchanged. */
const PLAIN_TARGET = /^\/$|^(?:\/[\w-]+)+$/;

/**
 * Returns the request target in the form that our routes expect: origin form, every escape decodable, no backslash, no
 * `.` or `..`. Removes Remix's two other ways to call a loader: `?_data=`, and, for the API, the `.data` suffix.
 */
export function normaliseTarget(target: string): string {
  if (PLAIN_TARGET.test(target)) return target;
  let originForm = target;
  if (!originForm.startsWith('/')) {
    const absolute = URL.canParse(originForm) ? new URL(originForm) : null;
    originForm = absolute?.pathname.startsWith('/') ? absolute.pathname + absolute.search : '/';
  }
  const [, rawPath = '/', search = ''] = /^([^?]*)(?:\?(.*))?$/s.exec(originForm) ?? [];
  let path = hasBrokenEscape(rawPath) ? rawPath.replaceAll('%', '%25') : rawPath;
  // The file server redirects to the path that it got, and browsers read `/\host` as `//host`, which is another site.
  path = path.replaceAll('\\', '%5C');
  // Remix resolves dot segments (WHATWG URL, "path state") and serves `/api/../dashboard` as `/dashboard`. The steps
  // before Remix must check that same path.
  path = new URL(`http://host${path}`).pathname;
  if (/^\/+api(\/|$)/i.test(decodeURIComponent(path))) path = path.replace(/\.data$/, '%2Edata');

  const parameters = new URLSearchParams(search);
  if (!parameters.has('_data')) return search === '' ? path : `${path}?${search}`;
  parameters.delete('_data');
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/**
 * Changes a raw request so that the middleware of remix-serve accepts it; that middleware answers malformed requests with
 * its own HTML pages. A method that Remix does not route becomes OPTIONS. `appHost` replaces an invalid Host header.
 * X-Forwarded-Host is removed: absolute links are built from APP_URL, never from a header.
 */
export function normaliseRequest(
  request: Pick<IncomingMessage, 'url' | 'method' | 'headers'>,
  appHost: string,
): void {
  request.url = normaliseTarget(request.url ?? '/');
  delete request.headers['x-forwarded-host'];
  const host = request.headers.host;
  const isValid =
    host === appHost || (host !== undefined && /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}/`));
  if (!isValid) request.headers.host = appHost;
  if (!ROUTABLE_METHODS.has(request.method ?? 'GET')) request.method = 'OPTIONS';
}

/** Node reports an IPv4 client of an IPv6 socket as `::ffff:192.0.2.7`. */
function withoutIpv6Prefix(address: string): string {
  return address.trim().replace(/^::ffff:(?=\d+\.)/i, '');
}

/**
 * Reads the client's address of a raw request. `trustedProxies` is the number of proxies in front of us. Each proxy
 * appends the address that it saw to X-Forwarded-For, so the client's entry is that many entries from the end. Earlier
 * entries can be forged by the client and are ignored. Returns the socket's address when that entry is not an address, or
 * when there are fewer entries than proxies: the request then bypassed a proxy, and every entry can be forged.
 */
export function readClientAddress(
  request: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } },
  trustedProxies: number,
): string {
  const socket = withoutIpv6Prefix(request.socket.remoteAddress ?? '');
  if (trustedProxies === 0) return socket;
  const header = request.headers['x-forwarded-for'];
  const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map(withoutIpv6Prefix);
  const address = forwarded.at(-trustedProxies) ?? '';
  return isIP(address) === 0 ? socket : address;
}
